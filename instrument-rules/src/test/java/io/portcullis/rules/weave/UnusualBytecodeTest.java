package io.portcullis.rules.weave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.gate.Checkpoint;
import io.portcullis.rules.SampleClassLoader;
import io.portcullis.rules.SampleClassLoader.Sample;
import io.portcullis.rules.WeavingFixture;
import java.util.function.Consumer;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.junit.jupiter.api.Test;

/** Methods that the JVM accepts and no Java compiler writes. */
class UnusualBytecodeTest {
  private static final String UNCOMMON = SampleClassLoader.SAMPLES + "Uncommon";
  private static final int RANGES = 700;
  private static final int RETURNS = 100;

  /** There the JVM throws at the return, after the gate was informed of the call's end. */
  @Test
  void callThatReturnsWithALockedMonitorEndsOnce() throws Exception {
    try (WeavingFixture trial = WeavingFixture.of(UNCOMMON + "#*(..)")) {
      trial.open();
      Sample gated = sample("(Ljava/lang/Object;)I", UnusualBytecodeTest::monitorStillHeld);

      assertThatThrownBy(() -> gated.call("uncommon", new Object()))
          .isInstanceOf(IllegalMonitorStateException.class);

      Checkpoint checkpoint = trial.book.toWeave().get(0).checkpoint();
      assertThat(checkpoint.passed()).isEqualTo(1);
      assertThat(checkpoint.callsInFlight()).isZero();
      assertThat(trial.failures).isEmpty();
    }
  }

  @Test
  void overlongHandlerTableIsAWeaveErrorAndBlocked() throws Exception {
    try (WeavingFixture trial = WeavingFixture.of(UNCOMMON + "#*(..)")) {
      trial.open();
      Sample blocked = sample("(I)I", UnusualBytecodeTest::manyHandlersAndReturns);

      assertThat(trial.failures).singleElement().asString().contains("exception table");
      assertThatThrownBy(() -> blocked.call("uncommon", 1))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("could not be gated");
    }
  }

  private static Sample sample(String descriptor, Consumer<MethodVisitor> body) {
    ClassWriter writer = new ClassWriter(0);
    writer.visit(
        Opcodes.V17,
        Opcodes.ACC_PUBLIC,
        UNCOMMON.replace('.', '/'),
        null,
        "java/lang/Object",
        null);
    int access = Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC;
    MethodVisitor code = writer.visitMethod(access, "uncommon", descriptor, null, null);
    code.visitCode();
    body.accept(code);
    code.visitEnd();
    writer.visitEnd();
    Class<?> type = new SampleClassLoader().define(UNCOMMON, writer.toByteArray());
    return new Sample(type, type);
  }

  private static void monitorStillHeld(MethodVisitor code) {
    Label start = new Label();
    Label end = new Label();
    code.visitTryCatchBlock(start, end, end, "java/lang/IllegalMonitorStateException");
    code.visitLabel(start);
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitInsn(Opcodes.MONITORENTER);
    code.visitInsn(Opcodes.ICONST_1);
    code.visitInsn(Opcodes.IRETURN);
    code.visitLabel(end);
    code.visitFrame(
        Opcodes.F_SAME1, 0, null, 1, new Object[] {"java/lang/IllegalMonitorStateException"});
    code.visitInsn(Opcodes.POP);
    code.visitInsn(Opcodes.ICONST_2);
    code.visitInsn(Opcodes.IRETURN);
    code.visitMaxs(1, 1);
  }

  private static void manyHandlersAndReturns(MethodVisitor code) {
    Label start = new Label();
    Label end = new Label();
    for (int i = 0; i < RANGES; i++) {
      code.visitTryCatchBlock(start, end, end, "java/lang/RuntimeException");
    }
    code.visitLabel(start);
    for (int i = 0; i < RETURNS; i++) {
      Label next = new Label();
      code.visitVarInsn(Opcodes.ILOAD, 0);
      code.visitJumpInsn(Opcodes.IFEQ, next);
      code.visitInsn(Opcodes.ICONST_1);
      code.visitInsn(Opcodes.IRETURN);
      code.visitLabel(next);
      code.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
      code.visitIincInsn(0, -1);
    }
    code.visitInsn(Opcodes.ICONST_3);
    code.visitInsn(Opcodes.IRETURN);
    code.visitLabel(end);
    code.visitFrame(Opcodes.F_SAME1, 0, null, 1, new Object[] {"java/lang/RuntimeException"});
    code.visitInsn(Opcodes.ATHROW);
    code.visitMaxs(1, 1);
  }
}
