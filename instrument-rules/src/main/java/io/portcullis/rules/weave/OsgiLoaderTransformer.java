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
 * Lets the bundles of an OSGi framework find the gate. Their loaders ask the bootstrap loader for
 * the packages of the JDK alone and for those of a list; the framework that is embedded takes this
 * list from nowhere but its own configuration. So in the loaders of the frameworks known here, by
 * name, {@code loadClass} begins with: the gate's classes come from the bootstrap loader.
 *
 * <p>Nothing rests on this. Where it fails, or a framework has another loader, a gated method can't
 * find the gate and ends with a {@code NoClassDefFoundError}, so it is shut.
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
    } catch (Throwable e) { // The gate stays out of sight, which is safe.
      return null;
    }
  }

  /** Apart, so that Byte Buddy is loaded for such a loader only. */
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
      visitInsn(Opcodes.NOP); // The method's own code may begin with a frame.
    }
  }
}
