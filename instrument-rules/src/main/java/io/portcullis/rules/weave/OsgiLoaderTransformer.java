package io.portcullis.rules.weave;

import io.portcullis.rules.classfile.Asm;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.Set;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * Makes the gate visible in the bundles of an OSGi framework. Bundle class loaders delegate only
 * JDK packages and the packages of a configured list to the bootstrap loader, and an embedded
 * framework reads this list only from its own configuration. This transformer therefore changes
 * {@code loadClass} of the known frameworks' loaders: the gate's classes always come from the
 * bootstrap loader.
 *
 * <p>Safety does not depend on this. If it fails, or a framework has another loader, a gated method
 * can't find the gate and ends with a {@code NoClassDefFoundError}: the call is refused.
 */
public final class OsgiLoaderTransformer implements ClassFileTransformer {
  private static final Set<String> LOADERS =
      Set.of(
          "org/apache/felix/framework/BundleWiringImpl$BundleClassLoader",
          "org/eclipse/osgi/internal/loader/ModuleClassLoader");

  private static final String METHOD = "loadClass";
  private static final String DESCRIPTOR = "(Ljava/lang/String;Z)Ljava/lang/Class;";
  private static final String GATE = "io.portcullis.gate.";

  @Override
  public byte @Nullable [] transform(
      @Nullable Module module,
      @Nullable ClassLoader loader,
      @Nullable String className,
      @Nullable Class<?> beingRedefined,
      @Nullable ProtectionDomain domain,
      byte[] classFile) {
    if (className == null || !LOADERS.contains(className)) {
      return null;
    }
    try {
      return GateDelegationVisitor.in(classFile);
    } catch (Throwable e) { // The gate is not visible then, which is safe.
      return null;
    }
  }

  /** A separate method, so that Byte Buddy is loaded only for such a loader. */
  static final class GateDelegationVisitor extends ClassVisitor {
    private GateDelegationVisitor(ClassVisitor next) {
      super(Asm.API, next);
    }

    static byte[] in(byte[] classFile) {
      ClassReader reader = Asm.reader(classFile);
      ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
      reader.accept(new GateDelegationVisitor(writer), 0);
      return writer.toByteArray();
    }

    @Override
    public MethodVisitor visitMethod(
        int access,
        String name,
        String descriptor,
        @Nullable String signature,
        String @Nullable [] exceptions) {
      MethodVisitor method = super.visitMethod(access, name, descriptor, signature, exceptions);
      boolean meant = name.equals(METHOD) && descriptor.equals(DESCRIPTOR);
      return meant ? new LoadClassVisitor(method) : method;
    }
  }

  private static final class LoadClassVisitor extends MethodVisitor {
    LoadClassVisitor(MethodVisitor next) {
      super(Asm.API, next);
    }

    @Override
    public void visitCode() {
      super.visitCode();
      Label others = new Label();
      visitVarInsn(Opcodes.ALOAD, 1);
      visitLdcInsn(GATE);
      visitMethodInsn(
          Opcodes.INVOKEVIRTUAL, "java/lang/String", "startsWith", "(Ljava/lang/String;)Z", false);
      visitJumpInsn(Opcodes.IFEQ, others);
      visitVarInsn(Opcodes.ALOAD, 1);
      visitInsn(Opcodes.ICONST_0);
      visitInsn(Opcodes.ACONST_NULL);
      visitMethodInsn(
          Opcodes.INVOKESTATIC,
          "java/lang/Class",
          "forName",
          "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;",
          false);
      visitInsn(Opcodes.ARETURN);
      visitLabel(others);
      visitFrame(Opcodes.F_SAME, 0, null, 0, null);
      visitInsn(Opcodes.NOP); // The method's code may start with a frame.
    }
  }
}
