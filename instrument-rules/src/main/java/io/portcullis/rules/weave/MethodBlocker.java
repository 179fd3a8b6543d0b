package io.portcullis.rules.weave;

import io.portcullis.rules.classfile.Asm;
import io.portcullis.rules.weave.ClassWeave.WeaveTask;
import java.util.Map;
import net.bytebuddy.jar.asm.AnnotationVisitor;
import net.bytebuddy.jar.asm.Attribute;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import net.bytebuddy.jar.asm.TypePath;
import org.jspecify.annotations.Nullable;

/**
 * The second line: where a method can't be gated, its body is replaced by one that throws. Crude on
 * purpose, and by other means than the {@link AdviceWeaver}, so that it works where that does not.
 */
final class MethodBlocker {
  private MethodBlocker() {}

  /**
   * Blocks methods. Those that were native are not any more.
   *
   * @param messages what each throws, by {@link WeaveTask#key}
   */
  static byte[] block(byte[] classFile, Map<String, String> messages) {
    ClassReader reader = Asm.reader(classFile);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(
        new ClassVisitor(Asm.API, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access,
              String name,
              String descriptor,
              @Nullable String signature,
              String @Nullable [] exceptions) {
            String message = messages.get(WeaveTask.key(name, descriptor));
            if (message == null) {
              return super.visitMethod(access, name, descriptor, signature, exceptions);
            }
            int withCode = access & ~Opcodes.ACC_NATIVE;
            return new BlockedMethod(
                super.visitMethod(withCode, name, descriptor, signature, exceptions),
                message,
                localsOf(access, descriptor));
          }
        },
        0);
    return writer.toByteArray();
  }

  private static int localsOf(int access, String descriptor) {
    int withReceiver = Type.getArgumentsAndReturnSizes(descriptor) >> 2;
    return (access & Opcodes.ACC_STATIC) == 0 ? withReceiver : withReceiver - 1;
  }

  /** Keeps what is said about the method, drops its code. */
  private static final class BlockedMethod extends MethodVisitor {
    private static final String EXCEPTION = "java/lang/IllegalStateException";

    private final MethodVisitor target;
    private final String message;
    private final int locals;

    BlockedMethod(MethodVisitor target, String message, int locals) {
      super(Asm.API);
      this.target = target;
      this.message = message;
      this.locals = locals;
    }

    @Override
    public void visitParameter(@Nullable String name, int access) {
      target.visitParameter(name, access);
    }

    @Override
    public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
      return target.visitAnnotation(descriptor, visible);
    }

    @Override
    public AnnotationVisitor visitTypeAnnotation(
        int typeRef, @Nullable TypePath path, String descriptor, boolean visible) {
      return target.visitTypeAnnotation(typeRef, path, descriptor, visible);
    }

    @Override
    public void visitAnnotableParameterCount(int count, boolean visible) {
      target.visitAnnotableParameterCount(count, visible);
    }

    @Override
    public AnnotationVisitor visitParameterAnnotation(
        int parameter, String descriptor, boolean visible) {
      return target.visitParameterAnnotation(parameter, descriptor, visible);
    }

    @Override
    public void visitAttribute(Attribute attribute) {
      if (!attribute.isCodeAttribute()) {
        target.visitAttribute(attribute);
      }
    }

    /** Comes last, whether or not there was any code before. */
    @Override
    public void visitEnd() {
      target.visitCode();
      target.visitTypeInsn(Opcodes.NEW, EXCEPTION);
      target.visitInsn(Opcodes.DUP);
      target.visitLdcInsn(message);
      target.visitMethodInsn(
          Opcodes.INVOKESPECIAL, EXCEPTION, "<init>", "(Ljava/lang/String;)V", false);
      target.visitInsn(Opcodes.ATHROW);
      target.visitMaxs(3, locals);
      target.visitEnd();
    }
  }
}
