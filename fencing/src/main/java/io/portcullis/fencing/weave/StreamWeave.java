package io.portcullis.fencing.weave;

import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/** Takes the streams of a socket from the gate, wherever a class takes them from the socket. */
final class StreamWeave extends ClassVisitor {
  private static final String LINES = "io/portcullis/gate/DatabaseLines";
  private static final String SOCKET = "java/net/Socket";
  private static final String INPUT = "()Ljava/io/InputStream;";
  private static final String OUTPUT = "()Ljava/io/OutputStream;";

  private int inputs;
  private int outputs;

  StreamWeave(ClassVisitor next) {
    super(Opcodes.ASM9, next);
  }

  /** A class that takes them in another way would be followed by nobody. */
  void requireBoth() {
    if (inputs == 0 || outputs == 0) {
      throw new IllegalStateException(
          "the class takes no streams from a java.net.Socket: this driver is not known");
    }
  }

  @Override
  public MethodVisitor visitMethod(
      int access,
      String name,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    MethodVisitor method = super.visitMethod(access, name, descriptor, signature, exceptions);
    return new MethodVisitor(Opcodes.ASM9, method) {
      @Override
      public void visitMethodInsn(
          int opcode, String owner, String called, String shape, boolean isInterface) {
        boolean isSocket = opcode == Opcodes.INVOKEVIRTUAL && owner.equals(SOCKET);
        if (isSocket && called.equals("getInputStream") && shape.equals(INPUT)) {
          inputs++;
          replace("input", "(Ljava/net/Socket;)Ljava/io/InputStream;");
        } else if (isSocket && called.equals("getOutputStream") && shape.equals(OUTPUT)) {
          outputs++;
          replace("output", "(Ljava/net/Socket;)Ljava/io/OutputStream;");
        } else {
          super.visitMethodInsn(opcode, owner, called, shape, isInterface);
        }
      }

      private void replace(String by, String shape) {
        super.visitMethodInsn(Opcodes.INVOKESTATIC, LINES, by, shape, false);
      }
    };
  }
}
