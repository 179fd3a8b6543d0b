package io.portcullis.fencing.weave;

import java.util.List;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.FieldVisitor;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * Lets every SQLException that leaves a class pass by the gate. Only public methods are concerned:
 * within the class its own handlers are to see what they always saw.
 */
final class ExecutorWeave extends ClassVisitor {
  private static final String LINES = "io/portcullis/gate/DriverHooks";
  private static final String FAILURE = "java/sql/SQLException";
  private static final String TRANSLATE =
      "(Ljava/lang/Exception;Ljava/lang/String;)Ljava/lang/Throwable;";

  private final String streamType;
  private boolean looksLikeDriver;
  private int methods;

  /**
   * Weaves a class.
   *
   * @param streamName how the name of the class ends by which a driver speaks to its server
   */
  ExecutorWeave(ClassVisitor next, String streamName) {
    super(Opcodes.ASM9, next);
    this.streamType = streamName + ";";
  }

  /** Whether a field or parameter of the class is such a stream. */
  boolean looksLikeDriver() {
    return looksLikeDriver;
  }

  void requireAny() {
    if (methods == 0) {
      throw new IllegalStateException("the class throws no SQLException: this driver is not known");
    }
  }

  @Override
  public FieldVisitor visitField(
      int access,
      String name,
      String descriptor,
      @Nullable String signature,
      @Nullable Object value) {
    looksLikeDriver |= descriptor.endsWith(streamType);
    return super.visitField(access, name, descriptor, signature, value);
  }

  @Override
  public MethodVisitor visitMethod(
      int access,
      String name,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    looksLikeDriver |= descriptor.contains(streamType);
    MethodVisitor method = super.visitMethod(access, name, descriptor, signature, exceptions);
    boolean isEntrance =
        (access & Opcodes.ACC_PUBLIC) != 0
            && (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_STATIC)) == 0
            && !name.equals("<init>")
            && exceptions != null
            && List.of(exceptions).contains(FAILURE);
    if (!isEntrance) {
      return method;
    }
    methods++;
    return new Translated(method);
  }

  private static final class Translated extends MethodVisitor {
    private static final int STACK = 2;

    private final Label start = new Label();
    private final Label end = new Label();

    Translated(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitCode() {
      super.visitCode();
      super.visitLabel(start);
    }

    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
      // The last handler, so that the method's own come first.
      super.visitLabel(end);
      super.visitTryCatchBlock(start, end, end, FAILURE);
      super.visitFrame(Opcodes.F_FULL, 0, new Object[0], 1, new Object[] {FAILURE});
      super.visitInsn(Opcodes.DUP);
      super.visitMethodInsn(
          Opcodes.INVOKEVIRTUAL, FAILURE, "getSQLState", "()Ljava/lang/String;", false);
      super.visitMethodInsn(Opcodes.INVOKESTATIC, LINES, "translate", TRANSLATE, false);
      super.visitInsn(Opcodes.ATHROW);
      super.visitMaxs(Math.max(maxStack, STACK), maxLocals);
    }
  }
}
