package io.portcullis.rules.classfile;

import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.LeaderOnlyMark;
import io.portcullis.rules.match.MethodShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.bytebuddy.jar.asm.AnnotationVisitor;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/** Reads the shape of a class from its class file. */
public final class ClassShapes {
  private ClassShapes() {}

  /**
   * Reads the shape. Of code, that of bridges alone is read.
   *
   * @throws IllegalArgumentException if the class file is of a version not known here
   */
  public static ClassShape read(byte[] classFile) {
    ClassReader reader = Asm.reader(classFile);
    Members members = new Members();
    reader.accept(
        members, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    if (members.methods.stream().anyMatch(MethodShape::isBridge)) {
      reader.accept(
          new BridgeReader(reader.getClassName(), members.methods),
          ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    }
    String superclass = reader.getSuperName();
    return new ClassShape(
        reader.getAccess(),
        binary(reader.getClassName()),
        superclass == null ? null : binary(superclass),
        binary(reader.getInterfaces()),
        members.annotations,
        members.methods);
  }

  /** The class files that a loader finds as resources. */
  public static ClassFiles visibleTo(ClassLoader loader) {
    return name -> {
      byte[] classFile = ClassResources.find(loader, name);
      return classFile == null ? null : read(classFile);
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

  private static final class Members extends ClassVisitor {
    final Set<String> annotations = new HashSet<>();
    final List<MethodShape> methods = new ArrayList<>();

    Members() {
      super(Asm.API);
    }

    @Override
    public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
      return new AnnotationNames(descriptor, annotations);
    }

    @Override
    public MethodVisitor visitMethod(
        int access,
        String name,
        String descriptor,
        @Nullable String signature,
        String @Nullable [] exceptions) {
      Set<String> carried = new HashSet<>();
      return new MethodVisitor(Asm.API) {
        @Override
        public AnnotationVisitor visitAnnotation(String type, boolean visible) {
          return new AnnotationNames(type, carried);
        }

        @Override
        public void visitEnd() {
          methods.add(new MethodShape(access, name, descriptor, binary(exceptions), carried, null));
        }
      };
    }
  }

  /** Meets the methods in the same order as {@link Members}. */
  private static final class BridgeReader extends ClassVisitor {
    private final String owner;
    private final List<MethodShape> methods;
    private int next;

    BridgeReader(String owner, List<MethodShape> methods) {
      super(Asm.API);
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
      int index = next++;
      MethodShape method = methods.get(index);
      return method.isBridge()
          ? new BridgeTarget(owner, name, lead -> methods.set(index, method.leading(lead)))
          : null;
    }
  }

  /** Collects the name of an annotation, and of those that it contains as its {@code value}. */
  static final class AnnotationNames extends AnnotationVisitor {
    private static final String CONTAINED = "value";

    private final String type;
    private final Set<String> names;

    AnnotationNames(String descriptor, Set<String> names) {
      super(Asm.API);
      this.type = Type.getType(descriptor).getClassName();
      this.names = names;
      names.add(type);
    }

    @Override
    public void visit(String name, Object value) {
      if (LeaderOnlyMark.isElection(type, name)) {
        names.add(LeaderOnlyMark.of(String.valueOf(value)));
      }
    }

    @Override
    public @Nullable AnnotationVisitor visitArray(String name) {
      if (!name.equals(CONTAINED)) {
        return null;
      }
      return new AnnotationVisitor(Asm.API) {
        @Override
        public @Nullable AnnotationVisitor visitAnnotation(
            @Nullable String none, String descriptor) {
          names.add(Type.getType(descriptor).getClassName());
          return null;
        }
      };
    }
  }
}
