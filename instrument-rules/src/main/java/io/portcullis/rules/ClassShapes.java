package io.portcullis.rules;

import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.MethodShape;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.utility.OpenedClassReader;
import org.jspecify.annotations.Nullable;

/** Reads the shape of a class from its class file. */
public final class ClassShapes {
  private ClassShapes() {}

  /**
   * Reads the shape.
   *
   * @throws IllegalArgumentException if the class file is of a version not known here
   */
  public static ClassShape read(byte[] classFile) {
    ClassReader reader = OpenedClassReader.of(classFile);
    List<MethodShape> methods = new ArrayList<>();
    reader.accept(
        new MethodCollector(reader.getClassName(), methods),
        ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    String superclass = reader.getSuperName();
    return new ClassShape(
        reader.getAccess(),
        binary(reader.getClassName()),
        superclass == null ? null : binary(superclass),
        binary(reader.getInterfaces()),
        methods);
  }

  /** The class files that a loader finds as resources. */
  public static ClassFiles visibleTo(ClassLoader loader) {
    return name -> {
      try (InputStream in = loader.getResourceAsStream(name.replace('.', '/') + ".class")) {
        return in == null ? null : read(in.readAllBytes());
      }
    };
  }

  private static String binary(String internalName) {
    return internalName.replace('/', '.');
  }

  private static List<String> binary(String @Nullable [] internalNames) {
    return internalNames == null
        ? List.of()
        : Arrays.stream(internalNames).map(ClassShapes::binary).toList();
  }

  /** Reads no code but that of bridges. */
  private static final class MethodCollector extends ClassVisitor {
    private final String owner;
    private final List<MethodShape> methods;

    MethodCollector(String owner, List<MethodShape> methods) {
      super(OpenedClassReader.ASM_API);
      this.owner = owner;
      this.methods = methods;
    }

    @Override
    public @Nullable MethodVisitor visitMethod(
        int access,
        String name,
        String descriptor,
        @Nullable String signature,
        String @Nullable [] exceptions) {
      MethodShape method = new MethodShape(access, name, descriptor, binary(exceptions));
      int index = methods.size();
      methods.add(method);
      return method.isBridge()
          ? new BridgeTarget(owner, name, target -> methods.set(index, method.leadingTo(target)))
          : null;
    }
  }
}
