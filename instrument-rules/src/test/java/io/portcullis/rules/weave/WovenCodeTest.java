package io.portcullis.rules.weave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.gate.NotLeaderException;
import io.portcullis.rules.SampleClassLoader;
import io.portcullis.rules.SampleClassLoader.Sample;
import io.portcullis.rules.WeavingFixture;
import io.portcullis.rules.classfile.ClassShapeReader;
import io.portcullis.rules.match.ClassShape;
import java.util.ArrayList;
import java.util.List;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.utility.OpenedClassReader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The woven byte code. */
class WovenCodeTest {
  private static final String SHAPES = SampleClassLoader.SAMPLES + "Shapes";
  private static final String OLD = SampleClassLoader.SAMPLES + "Old";

  @Test
  void openGateIsAConstantAndTwoCallsWithoutAllocation() throws Exception {
    try (WeavingFixture trial = WeavingFixture.of(SHAPES + "#plain()")) {
      byte[] original = SampleClassLoader.classFile(SHAPES);

      byte[] woven = woven(trial, original);

      int slot = trial.book.toWeave().get(0).slot();
      assertThat(instructions(woven))
          .containsSubsequence("push " + slot, "Gate.enter", "push " + slot, "Gate.exit")
          .doesNotContain("allocation")
          .filteredOn(instruction -> instruction.startsWith("Gate."))
          .containsOnly("Gate.enter", "Gate.notLeader", "Gate.exit");
    }
  }

  @Test
  void wovenClassKeepsItsShape() throws Exception {
    try (WeavingFixture trial = WeavingFixture.of(SHAPES + "#*(..)")) {
      byte[] original = SampleClassLoader.classFile(SHAPES);

      ClassShape woven = ClassShapeReader.read(woven(trial, original));

      assertThat(woven).isEqualTo(ClassShapeReader.read(original));
    }
  }

  /** From Java 1.2 to 7; up to 5 with subroutines, which later versions forbid. */
  @ParameterizedTest
  @ValueSource(ints = {46, 47, 48, 49, 50})
  void classFilesOfOldCompilersAreGated(int version) throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(OLD + "#*(..)")) {
      Class<?> type = new SampleClassLoader().define(OLD, oldClass(version));
      Sample old = new Sample(type, type.getDeclaredConstructor().newInstance());

      assertThatThrownBy(() -> old.call("twice", 4)).isInstanceOf(NotLeaderException.class);

      trial.open();
      assertThat(old.call("twice", 4)).isEqualTo(8);
      assertThat(old.call("twice", -4)).isEqualTo(0);
      assertThat(trial.gate.callsInFlight()).isZero();
      assertThat(trial.failures).isEmpty();
    }
  }

  @SuppressWarnings("NullAway") // As the JVM calls it.
  private static byte[] woven(WeavingFixture trial, byte[] original) {
    return trial.weaver.transform(
        null, new SampleClassLoader(), SHAPES.replace('.', '/'), null, null, original);
  }

  private static List<String> instructions(byte[] classFile) {
    List<String> instructions = new ArrayList<>();
    OpenedClassReader.of(classFile)
        .accept(
            new ClassVisitor(OpenedClassReader.ASM_API) {
              @Override
              public @Nullable MethodVisitor visitMethod(
                  int access,
                  String name,
                  String descriptor,
                  @Nullable String signature,
                  String @Nullable [] exceptions) {
                return name.equals("plain") ? new InstructionListing(instructions) : null;
              }
            },
            ClassReader.SKIP_DEBUG);
    return instructions;
  }

  private static final class InstructionListing extends MethodVisitor {
    private final List<String> instructions;

    InstructionListing(List<String> instructions) {
      super(OpenedClassReader.ASM_API);
      this.instructions = instructions;
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode >= Opcodes.ICONST_0 && opcode <= Opcodes.ICONST_5) {
        instructions.add("push " + (opcode - Opcodes.ICONST_0));
      }
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
      instructions.add(opcode == Opcodes.NEWARRAY ? "allocation" : "push " + operand);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
      if (opcode == Opcodes.NEW || opcode == Opcodes.ANEWARRAY) {
        instructions.add("allocation");
      }
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      instructions.add(owner.substring(owner.lastIndexOf('/') + 1) + "." + name);
    }
  }

  private static byte[] oldClass(int version) {
    ClassWriter writer = new ClassWriter(0);
    String name = OLD.replace('.', '/');
    writer.visit(
        version, Opcodes.ACC_PUBLIC | Opcodes.ACC_SUPER, name, null, "java/lang/Object", null);
    MethodVisitor init = writer.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "()V", null, null);
    init.visitCode();
    init.visitVarInsn(Opcodes.ALOAD, 0);
    init.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
    init.visitInsn(Opcodes.RETURN);
    init.visitMaxs(1, 1);
    init.visitEnd();
    twice(writer.visitMethod(Opcodes.ACC_PUBLIC, "twice", "(I)I", null, null), version);
    writer.visitEnd();
    return writer.toByteArray();
  }

  /** Doubles a number that is not negative, otherwise returns 0. The doubling is a subroutine. */
  private static void twice(MethodVisitor code, int version) {
    Label negative = new Label();
    Label subroutine = new Label();
    code.visitCode();
    code.visitVarInsn(Opcodes.ILOAD, 1);
    code.visitJumpInsn(Opcodes.IFLT, negative);
    if (version < Opcodes.V1_6) {
      code.visitJumpInsn(Opcodes.JSR, subroutine);
    } else {
      code.visitIincInsn(1, 0);
      doubleIt(code);
    }
    code.visitVarInsn(Opcodes.ILOAD, 1);
    code.visitInsn(Opcodes.IRETURN);
    code.visitLabel(negative);
    if (version >= Opcodes.V1_6) {
      code.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
    }
    code.visitInsn(Opcodes.ICONST_0);
    code.visitInsn(Opcodes.IRETURN);
    if (version < Opcodes.V1_6) {
      code.visitLabel(subroutine);
      code.visitVarInsn(Opcodes.ASTORE, 2);
      doubleIt(code);
      code.visitVarInsn(Opcodes.RET, 2);
    }
    code.visitMaxs(2, 3);
    code.visitEnd();
  }

  private static void doubleIt(MethodVisitor code) {
    code.visitVarInsn(Opcodes.ILOAD, 1);
    code.visitInsn(Opcodes.ICONST_2);
    code.visitInsn(Opcodes.IMUL);
    code.visitVarInsn(Opcodes.ISTORE, 1);
  }
}
