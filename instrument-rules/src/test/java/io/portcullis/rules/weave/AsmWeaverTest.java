package io.portcullis.rules.weave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.gate.Checkpoint;
import io.portcullis.gate.NotLeaderException;
import io.portcullis.rules.SampleClassLoader;
import io.portcullis.rules.SampleClassLoader.Sample;
import io.portcullis.rules.WeavingFixture;
import io.portcullis.rules.classfile.Asm;
import io.portcullis.rules.plan.Rule;
import io.portcullis.rules.spec.RuleSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Gates that are written instruction by instruction. */
class AsmWeaverTest {
  private static final String EXIT_PATHS = SampleClassLoader.SAMPLES + "ExitPaths";
  private static final String LITTERED = SampleClassLoader.SAMPLES + "Littered";

  /** How often these calls together call a private method that is gated too. */
  private static final int CALLS_OF_FAIL = 9;

  @Test
  void everyExitEndsTheCallOnceAndAsWithoutAGate() throws Throwable {
    List<String> ungated = outcomes(new SampleClassLoader().sample("ExitPaths"));
    try (WeavingFixture trial = WeavingFixture.of(EXIT_PATHS + "#*(..)")) {
      Sample gated = new SampleClassLoader().sample("ExitPaths");
      trial.open();

      List<String> outcomes = outcomes(gated);

      Checkpoint checkpoint = trial.book.toWeave().get(0).checkpoint();
      assertThat(outcomes).isEqualTo(ungated).contains("state", "other two", "2", "1.5");
      assertThat(checkpoint.callsInFlight()).isZero();
      assertThat(checkpoint.passed())
          .as("each call, and those of the private method they call")
          .isEqualTo(outcomes.size() + CALLS_OF_FAIL);
      assertThat(trial.failures).isEmpty();
    }
  }

  @Test
  void shutGateRefusesAllCalls() throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(EXIT_PATHS + "#*(..)")) {
      Sample gated = new SampleClassLoader().sample("ExitPaths");

      assertThat(outcomes(gated)).containsOnly(NotLeaderException.class.getName());

      assertThat(trial.gate.callsInFlight()).isZero();
    }
  }

  @Test
  void skippedMethodReturnsAndWorksNormallyLater() throws Throwable {
    try (WeavingFixture trial =
        WeavingFixture.acting("skip", EXIT_PATHS + "#silent(..)", Map.of())) {
      Sample gated = new SampleClassLoader().sample("ExitPaths");

      assertThat(gated.call("silent", 1)).isNull();

      trial.open();
      assertThat(gated.call("silent", 0)).isNull();
      assertThatThrownBy(() -> gated.call("silent", 1)).hasMessage("one");
      assertThat(trial.gate.callsInFlight()).isZero();
      assertThat(trial.book.toWeave().get(0).checkpoint().passed()).isEqualTo(2);
    }
  }

  /** A skipped call inside an outer gate still ends for the outer one. */
  @ParameterizedTest
  @CsvSource({"throw, skip", "skip, throw", "skip, skip", "throw, throw"})
  void firstOfTwoGatesIsTheOuterAndBothCountOnce(String outer, String inner) throws Throwable {
    RuleSpec first =
        new RuleSpec("a", EXIT_PATHS + "#silent(..)", "writer", outer, Map.of(), false);
    RuleSpec second =
        new RuleSpec("b", EXIT_PATHS + "#silent(..)", "other", inner, Map.of(), false);
    try (WeavingFixture trial =
        WeavingFixture.of(List.of(Rule.of(first, false), Rule.of(second, false)))) {
      Sample gated = new SampleClassLoader().sample("ExitPaths");
      Checkpoint outerGate = trial.book.toWeave().get(0).checkpoint();
      Checkpoint innerGate = trial.book.toWeave().get(1).checkpoint();

      outcome(gated, "silent", 1);
      assertThat(innerGate.blocked()).as("no call reached the inner gate").isZero();

      trial.open();
      outcome(gated, "silent", 1);
      assertThat(List.of(outerGate.passed(), innerGate.blocked())).containsOnly(1L);

      WeavingFixture.open(trial.otherGate);
      assertThatThrownBy(() -> gated.call("silent", 1)).hasMessage("one");
      gated.call("silent", 0);
      assertThat(innerGate.passed()).isEqualTo(2);
      assertThat(outerGate.passed()).isEqualTo(3);
      assertThat(outerGate.callsInFlight() + innerGate.callsInFlight()).isZero();
    }
  }

  /** The JVM allows it, though no Java compiler writes it. */
  @Test
  void valuesLeftOnTheStackAtAReturnDoNoHarm() throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(LITTERED + "#*(..)")) {
      Class<?> type = new SampleClassLoader().define(LITTERED, littered());
      Sample gated = new Sample(type, type);
      trial.open();

      assertThat(gated.call("returned", 3)).isEqualTo(3);
      assertThat(gated.call("returned", -3)).isEqualTo(7);
      assertThat(trial.gate.callsInFlight()).isZero();
      assertThat(trial.failures).isEmpty();
    }
  }

  /**
   * Otherwise an exception of the gate at the end of a call could be caught by the method's own
   * handler.
   */
  @Test
  void handlersOfTheMethodDoNotCoverTheGatesEnd() throws Exception {
    try (WeavingFixture trial = WeavingFixture.of(SampleClassLoader.SAMPLES + "*#*(..)")) {
      Set<String> seen = new HashSet<>();
      seen.addAll(
          endingsSeenByHandlers(woven(trial, EXIT_PATHS, SampleClassLoader.classFile(EXIT_PATHS))));
      seen.addAll(endingsSeenByHandlers(woven(trial, LITTERED, littered())));

      assertThat(seen).isEmpty();
    }
  }

  @SuppressWarnings("NullAway") // As the JVM calls it.
  private static byte[] woven(WeavingFixture trial, String name, byte[] original) {
    return trial.weaver.transform(
        null, new SampleClassLoader(), name.replace('.', '/'), null, null, original);
  }

  private static List<String> outcomes(Sample sample) {
    List<String> outcomes = new ArrayList<>();
    for (int kind = 0; kind < 3; kind++) {
      outcomes.add(outcome(sample, "caught", kind));
      outcomes.add(outcome(sample, "guarded", kind));
      outcomes.add(outcome(sample, "switched", kind));
      outcomes.add(outcome(sample, "silent", kind));
    }
    outcomes.add(outcome(sample, "swallowed", 1));
    outcomes.add(outcome(sample, "looped", 3));
    outcomes.add(outcome(sample, "overwritten", 3L, 0.5, "x"));
    outcomes.add(outcome(sample, "never"));
    return outcomes;
  }

  private static String outcome(Sample sample, String method, Object... arguments) {
    try {
      return String.valueOf(sample.call(method, arguments));
    } catch (Throwable e) {
      return e.getClass().getName();
    }
  }

  /** Returns its argument, or 7 from a handler, each time with a number below on the stack. */
  private static byte[] littered() {
    ClassWriter writer = new ClassWriter(0);
    String name = LITTERED.replace('.', '/');
    writer.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, name, null, "java/lang/Object", null);
    MethodVisitor code =
        writer.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "returned", "(I)I", null, null);
    Label start = new Label();
    Label end = new Label();
    Label negative = new Label();
    code.visitCode();
    code.visitTryCatchBlock(start, end, end, "java/lang/NullPointerException");
    code.visitLabel(start);
    code.visitInsn(Opcodes.LCONST_1);
    code.visitVarInsn(Opcodes.ILOAD, 0);
    code.visitInsn(Opcodes.DUP);
    code.visitJumpInsn(Opcodes.IFLT, negative);
    code.visitInsn(Opcodes.IRETURN);
    code.visitLabel(negative);
    code.visitFrame(
        Opcodes.F_FULL,
        1,
        new Object[] {Opcodes.INTEGER},
        2,
        new Object[] {Opcodes.LONG, Opcodes.INTEGER});
    code.visitInsn(Opcodes.ACONST_NULL);
    code.visitInsn(Opcodes.ATHROW);
    code.visitLabel(end);
    code.visitFrame(Opcodes.F_SAME1, 0, null, 1, new Object[] {"java/lang/NullPointerException"});
    code.visitIntInsn(Opcodes.BIPUSH, 7);
    code.visitInsn(Opcodes.IRETURN);
    code.visitMaxs(4, 1);
    code.visitEnd();
    writer.visitEnd();
    return writer.toByteArray();
  }

  /** Methods with a handler, typed or not, whose range contains a call that ends the gated call. */
  private static Set<String> endingsSeenByHandlers(byte[] classFile) {
    Set<String> seen = new HashSet<>();
    Asm.reader(classFile)
        .accept(
            new ClassVisitor(Asm.API) {
              @Override
              public MethodVisitor visitMethod(
                  int access,
                  String name,
                  String descriptor,
                  @Nullable String signature,
                  String @Nullable [] exceptions) {
                return new ReturnCounter(name, seen);
              }
            },
            0);
    return seen;
  }

  private static final class ReturnCounter extends MethodVisitor {
    private final String method;
    private final Set<String> seen;
    private final Map<Label, Integer> starts = new HashMap<>();
    private final Map<Label, Integer> ends = new HashMap<>();
    private int open;

    ReturnCounter(String method, Set<String> seen) {
      super(Asm.API);
      this.method = method;
      this.seen = seen;
    }

    @Override
    public void visitTryCatchBlock(Label start, Label end, Label handler, @Nullable String type) {
      if (!"java/lang/StackOverflowError".equals(type)) { // The gate's own; samples have none.
        starts.merge(start, 1, Integer::sum);
        ends.merge(end, 1, Integer::sum);
      }
    }

    @Override
    public void visitLabel(Label label) {
      open += starts.getOrDefault(label, 0) - ends.getOrDefault(label, 0);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      if (open > 0 && owner.endsWith("/Gate") && name.equals("exit")) {
        seen.add(method);
      }
    }
  }
}
