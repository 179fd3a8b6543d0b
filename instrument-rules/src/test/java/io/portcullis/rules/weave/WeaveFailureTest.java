package io.portcullis.rules.weave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.gate.ElectionGate;
import io.portcullis.gate.NotLeaderException;
import io.portcullis.rules.SampleClassLoader;
import io.portcullis.rules.SampleClassLoader.Sample;
import io.portcullis.rules.WeavingFixture;
import io.portcullis.rules.coverage.InstalledRules;
import io.portcullis.rules.coverage.InstalledRules.RefusalWrapping;
import io.portcullis.rules.coverage.RuleCoverage;
import io.portcullis.rules.coverage.RuleCoverage.RuleState;
import io.portcullis.rules.plan.Rule;
import io.portcullis.rules.weave.WeaveFailures.WeaveFailure;
import java.util.List;
import java.util.Map;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.junit.jupiter.api.Test;

/** Whatever fails, a method that a rule in force matches never runs ungated. */
class WeaveFailureTest {
  private static final String OWN = SampleClassLoader.SAMPLES + "OwnExceptions";
  private static final String NATIVE = SampleClassLoader.SAMPLES + "Native";
  private static final String HUGE = SampleClassLoader.SAMPLES + "Huge";
  private static final Map<String, Object> BAD_EXCEPTION = Map.of("exception", "com.acme.Missing");

  @Test
  void methodTooBigToBeGatedIsBlocked() throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(HUGE + "#body()")) {
      Sample huge = huge();
      trial.open();

      assertThatThrownBy(() -> huge.call("body"))
          .isExactlyInstanceOf(IllegalStateException.class)
          .hasMessageContaining("rule 'rule-0' matches " + HUGE + "#body()");

      assertThat(huge.call("other")).isEqualTo(1);
      assertThat(trial.coverage().state()).isEqualTo(RuleState.FAILED);
      assertThat(trial.failures)
          .singleElement()
          .satisfies(failure -> assertThat(failure.loaded()).isFalse());
    }
  }

  @Test
  void nativeMethodOfARuleIsBlockedWithARemedy() throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(NATIVE + "#hashCode()", NATIVE + "#*(..)")) {
      Sample sample = new SampleClassLoader().sample("Native");
      trial.open();

      assertThatThrownBy(() -> sample.call("hashCode"))
          .isExactlyInstanceOf(IllegalStateException.class)
          .hasMessageContaining("rule 'rule-0' matches " + NATIVE + "#hashCode()");

      assertThat(sample.call("real")).isEqualTo(1);
      assertThat(trial.book.coverage())
          .extracting(RuleCoverage::state)
          .containsExactly(RuleState.FAILED, RuleState.ARMED);
      assertThat(trial.failures)
          .singleElement()
          .asString()
          .contains("hashCode(): it is native", "name the methods that call it");
    }
  }

  @Test
  void nativeMethodOfAWildcardOrObservingRuleIsAHint() throws Throwable {
    Rule wildcard = WeavingFixture.rule("wildcard", NATIVE + "#hash*()", Map.of());
    Rule types =
        WeavingFixture.rule("types", SampleClassLoader.SAMPLES + "Nativ*#hashCode()", Map.of());
    Rule watch = WeavingFixture.observing("watch", NATIVE + "#hashCode()", Map.of());
    try (WeavingFixture trial = WeavingFixture.of(List.of(types, watch, wildcard))) {
      Sample sample = new SampleClassLoader().sample("Native");

      assertThat(sample.call("other")).isEqualTo(2);

      assertThat(trial.failures).isEmpty();
      assertThat(trial.book.coverage())
          .extracting(RuleCoverage::state)
          .containsOnly(RuleState.NO_METHOD);
      assertThat(trial.book.coverage().get(0).hint()).contains("hashCode() is native");
    }
  }

  @Test
  void nativeMethodIsReportedAndOthersAreGated() throws Throwable {
    Sample sample = new SampleClassLoader().sample("Native");
    try (WeavingFixture trial = WeavingFixture.of(NATIVE + "#hashCode()", NATIVE + "#real()")) {
      trial.weaver.weaveLoaded(WeavingFixture.INSTRUMENTATION);

      assertThatThrownBy(() -> sample.call("real")).isInstanceOf(NotLeaderException.class);
      assertThat(trial.failures).isNotEmpty().allMatch(WeaveFailure::loaded);
      assertThat(trial.book.coverage())
          .extracting(RuleCoverage::state)
          .containsExactly(RuleState.FAILED, RuleState.ARMED);
    }
  }

  @Test
  void failingObservingRuleLeavesTheClassUnchanged() throws Throwable {
    try (WeavingFixture trial =
        WeavingFixture.of(List.of(WeavingFixture.observing("watch", HUGE + "#body()", Map.of())))) {
      Sample huge = huge();

      assertThat(huge.call("body")).isEqualTo(0);

      assertThat(trial.coverage().state()).isEqualTo(RuleState.FAILED);
      assertThat(trial.failures).isEmpty();
      assertThat(trial.news).containsExactly("watch FAILED");
    }
  }

  @Test
  void failedObserveRuleLeavesTheOtherRuleInForce() throws Throwable {
    Rule watch = WeavingFixture.observing("watch", OWN + "#unchecked()", BAD_EXCEPTION);
    Rule force = WeavingFixture.rule("force", OWN + "#unchecked()", Map.of());
    try (WeavingFixture trial = WeavingFixture.of(List.of(watch, force))) {
      Sample sample = new SampleClassLoader().sample("OwnExceptions");

      assertThatThrownBy(() -> sample.call("unchecked")).isInstanceOf(NotLeaderException.class);

      assertThat(trial.book.coverage())
          .extracting(RuleCoverage::state)
          .containsExactly(RuleState.FAILED, RuleState.ARMED);
    }
  }

  @Test
  void failedRuleBlocksItsMethodAndOthersStayGated() throws Throwable {
    Rule bad = WeavingFixture.rule("bad", OWN + "#unchecked()", BAD_EXCEPTION);
    Rule fine = WeavingFixture.rule("fine", OWN + "#*checked()", Map.of());
    try (WeavingFixture trial = WeavingFixture.of(List.of(bad, fine))) {
      Sample sample = new SampleClassLoader().sample("OwnExceptions");

      assertThatThrownBy(() -> sample.call("unchecked")).hasMessageContaining("rule 'bad'");
      assertThatThrownBy(() -> sample.call("checked")).isInstanceOf(NotLeaderException.class);

      trial.open();
      assertThatThrownBy(() -> sample.call("unchecked")).hasMessageContaining("rule 'bad'");
      assertThat(sample.call("checked")).isEqualTo(1);
    }
  }

  @Test
  void classFileOfAnUnknownVersionIsAWeaveErrorAndDoesNotLoad() throws Exception {
    byte[] future = SampleClassLoader.classFile(OWN);
    future[7] = 120;
    try (WeavingFixture trial = WeavingFixture.of(OWN + "#unchecked()")) {
      SampleClassLoader loader = new SampleClassLoader(classFile -> future);

      assertThatThrownBy(() -> loader.sample("OwnExceptions")).isInstanceOf(LinkageError.class);

      assertThat(trial.coverage().state()).isEqualTo(RuleState.FAILED);
      assertThat(trial.failures).hasSize(1);
      assertThat(transformed(trial, future)).isEqualTo(Weaver.UNLOADABLE);
    }
  }

  @Test
  void unreadableClassOfAnObservingRuleIsNotChanged() throws Exception {
    byte[] future = SampleClassLoader.classFile(OWN);
    future[7] = 120;
    try (WeavingFixture trial =
        WeavingFixture.of(List.of(WeavingFixture.observing("watch", OWN + "#*(..)", Map.of())))) {
      assertThat(transformed(trial, future)).isNull();
    }
  }

  @Test
  void brokenListenersAndLoadersLeaveNothingUngated() throws Exception {
    InstalledRules book =
        InstalledRules.install(
            List.of(WeavingFixture.rule("own", OWN + "#unchecked()", BAD_EXCEPTION)),
            ElectionGate::forTrial,
            RefusalWrapping.NONE,
            (rule, state, hint) -> {
              throw new IllegalStateException("broken listener");
            });
    Weaver weaver =
        new Weaver(
            book,
            failure -> {
              throw new IllegalStateException("broken callback");
            },
            loader -> {
              if (loader instanceof BrokenLoader) {
                throw new IllegalStateException("broken predicate");
              }
              return false;
            });
    byte[] original = SampleClassLoader.classFile(OWN);
    String name = OWN.replace('.', '/');

    byte[] blocked = weaver.transform(null, new SampleClassLoader(), name, null, null, original);
    byte[] shut = weaver.transform(null, new BrokenLoader(), name, null, null, original);

    assertThat(blocked).isNotNull().isNotEqualTo(original);
    assertThat(shut).isEqualTo(Weaver.UNLOADABLE);
    assertThat(book.coverage().get(0).state()).isEqualTo(RuleState.FAILED);
  }

  private static final class BrokenLoader extends ClassLoader {}

  @SuppressWarnings("NullAway") // As the JVM calls it.
  private static byte[] transformed(WeavingFixture trial, byte[] classFile) {
    return trial.weaver.transform(
        null, new SampleClassLoader(), OWN.replace('.', '/'), null, null, classFile);
  }

  private static Sample huge() throws ReflectiveOperationException {
    Class<?> type = new SampleClassLoader().define(HUGE, hugeClass());
    return new Sample(type, type.getDeclaredConstructor().newInstance());
  }

  /** A body as long as the JVM allows: any gate makes it too long. */
  private static byte[] hugeClass() {
    ClassWriter writer = new ClassWriter(0);
    writer.visit(
        Opcodes.V17, Opcodes.ACC_PUBLIC, HUGE.replace('.', '/'), null, "java/lang/Object", null);
    MethodVisitor init = writer.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "()V", null, null);
    init.visitCode();
    init.visitVarInsn(Opcodes.ALOAD, 0);
    init.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
    init.visitInsn(Opcodes.RETURN);
    init.visitMaxs(1, 1);
    init.visitEnd();
    method(writer, "body", 65_533, Opcodes.ICONST_0);
    method(writer, "other", 0, Opcodes.ICONST_1);
    writer.visitEnd();
    return writer.toByteArray();
  }

  private static void method(ClassWriter writer, String name, int idle, int constant) {
    MethodVisitor code = writer.visitMethod(Opcodes.ACC_PUBLIC, name, "()I", null, null);
    code.visitCode();
    for (int i = 0; i < idle; i++) {
      code.visitInsn(Opcodes.NOP);
    }
    code.visitInsn(constant);
    code.visitInsn(Opcodes.IRETURN);
    code.visitMaxs(1, 1);
    code.visitEnd();
  }
}
