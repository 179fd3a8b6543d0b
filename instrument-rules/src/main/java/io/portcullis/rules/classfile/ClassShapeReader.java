package io.portcullis.rules.classfile;

import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.LeaderOnlyMark;
import io.portcullis.rules.match.MethodShape;
import io.portcullis.rules.match.MethodShape.BridgeLink;
import io.portcullis.rules.match.MethodShape.BridgeLinkKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import net.bytebuddy.jar.asm.AnnotationVisitor;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/** Reads the shape of a class from its class file. */
public final class ClassShapeReader {
  private ClassShapeReader() {}

  /**
   * Reads the shape. Only the code of bridge methods is read.
   *
   * @throws IllegalArgumentException if the class file version is not supported
   */
  public static ClassShape read(byte[] classFile) {
    ClassReader reader = Asm.reader(classFile);
    ShapeVisitor members = new ShapeVisitor();
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
        : Arrays.stream(internalNames).map(ClassShapeReader::binary).toList();
  }

  private static final class ShapeVisitor extends ClassVisitor {
    final Set<String> annotations = new HashSet<>();
    final List<MethodShape> methods = new ArrayList<>();

    ShapeVisitor() {
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

  /** Reads the targets of bridges; visits the methods in the same order as {@link ShapeVisitor}. */
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

  /**
   * Reads from a bridge's code which method of the same name it calls. The link is straight if the
   * code only passes the arguments on to one method of its own class. Any other instruction, such
   * as the unboxing in Scala's bridges, makes the link a winding one.
   */
  static final class BridgeTarget extends MethodVisitor {
    private final String owner;
    private final String name;
    private final Consumer<BridgeLink> target;

    private @Nullable String found;
    private @Nullable String foundInParent;
    private boolean plain = true;

    /**
     * Creates a reader.
     *
     * @param owner internal name of the bridge's class
     * @param target receives the bridge's target, if it has one
     */
    BridgeTarget(String owner, String name, Consumer<BridgeLink> target) {
      super(Asm.API);
      this.owner = owner;
      this.name = name;
      this.target = target;
    }

    @Override
    public void visitMethodInsn(
        int opcode, String calledOwner, String calledName, String descriptor, boolean isInterface) {
      boolean own =
          opcode != Opcodes.INVOKESPECIAL && calledOwner.equals(owner) && calledName.equals(name);
      plain &= found == null && own;
      if (own) {
        found = descriptor;
      } else if (opcode == Opcodes.INVOKESPECIAL && calledName.equals(name)) {
        foundInParent = descriptor;
      }
    }

    @Override
    public void visitVarInsn(int opcode, int variable) {
      plain &= opcode >= Opcodes.ILOAD && opcode <= Opcodes.ALOAD;
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
      plain &= opcode == Opcodes.CHECKCAST;
    }

    @Override
    public void visitInsn(int opcode) {
      plain &= opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN && found != null;
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
      plain = false;
    }

    @Override
    public void visitFieldInsn(int opcode, String of, String field, String descriptor) {
      plain = false;
    }

    @Override
    public void visitInvokeDynamicInsn(
        String called, String descriptor, Handle bootstrap, Object... arguments) {
      plain = false;
    }

    @Override
    public void visitJumpInsn(int opcode, Label label) {
      plain = false;
    }

    @Override
    public void visitLdcInsn(Object value) {
      plain = false;
    }

    @Override
    public void visitIincInsn(int variable, int increment) {
      plain = false;
    }

    @Override
    public void visitTableSwitchInsn(int min, int max, Label other, Label... labels) {
      plain = false;
    }

    @Override
    public void visitLookupSwitchInsn(Label other, int[] keys, Label[] labels) {
      plain = false;
    }

    @Override
    public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
      plain = false;
    }

    @Override
    public void visitTryCatchBlock(
        Label start, Label end, Label handler, @Nullable String exception) {
      plain = false;
    }

    @Override
    public void visitEnd() {
      String descriptor = found;
      String parents = foundInParent;
      if (descriptor != null) {
        target.accept(
            new BridgeLink(descriptor, plain ? BridgeLinkKind.STRAIGHT : BridgeLinkKind.WINDING));
      } else if (parents != null) {
        target.accept(new BridgeLink(parents, BridgeLinkKind.TO_PARENT));
      }
    }
  }

  /** Reads class files as a woven class's own loader would find them, and loads no class. */
  @FunctionalInterface
  public interface ClassFiles {
    /** Null if there is no such class file. */
    @Nullable ClassShape read(String binaryName) throws IOException;
  }
}
