package io.portcullis.benchmarks.classes;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/**
 * Ten thousand generated classes in a jar: 8000 extend one of 1900 abstract classes, which in turn
 * implement one of 90 interfaces. One method in four carries one of 10 annotations.
 */
final class GeneratedClasses {
  private static final int CLASSES = 8000;
  private static final int PARENTS = 1900;
  private static final int INTERFACES = 90;
  private static final int ANNOTATIONS = 10;
  static final int ALL = CLASSES + PARENTS + INTERFACES + ANNOTATIONS;

  private static final String PACKAGE = "com/acme/made/";
  private static final String OBJECT = "java/lang/Object";
  private static final int METHODS = 8;
  private static final int ABSTRACT = Opcodes.ACC_PUBLIC | Opcodes.ACC_ABSTRACT;

  private GeneratedClasses() {}

  /** Class names in loading order: as in an application, parents come last. */
  static List<String> names() {
    List<String> names = new ArrayList<>();
    addNames(names, "A", ANNOTATIONS);
    addNames(names, "C", CLASSES);
    addNames(names, "P", PARENTS);
    addNames(names, "I", INTERFACES);
    return names;
  }

  private static void addNames(List<String> names, String start, int count) {
    for (int i = 0; i < count; i++) {
      names.add((PACKAGE + start + i).replace('/', '.'));
    }
  }

  static void write(Path jar, boolean parents) throws IOException {
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file)) {
      for (int i = 0; i < ANNOTATIONS; i++) {
        int access = ABSTRACT | Opcodes.ACC_INTERFACE | Opcodes.ACC_ANNOTATION;
        put(out, "A" + i, access, OBJECT, "java/lang/annotation/Annotation");
      }
      for (int i = 0; i < INTERFACES; i++) {
        put(out, "I" + i, ABSTRACT | Opcodes.ACC_INTERFACE, OBJECT);
      }
      for (int i = 0; i < PARENTS; i++) {
        String[] interfaces = {PACKAGE + "I" + i % INTERFACES};
        put(
            out,
            "P" + i,
            ABSTRACT | Opcodes.ACC_SUPER,
            OBJECT,
            parents ? interfaces : new String[0]);
      }
      for (int i = 0; i < CLASSES; i++) {
        String parent = parents ? PACKAGE + "P" + i % PARENTS : OBJECT;
        put(out, "C" + i, Opcodes.ACC_PUBLIC | Opcodes.ACC_SUPER, parent);
      }
    }
  }

  private static void put(
      JarOutputStream out, String name, int access, String parent, String... interfaces)
      throws IOException {
    out.putNextEntry(new ZipEntry(PACKAGE + name + ".class"));
    out.write(classFile(name, access, parent, interfaces));
    out.closeEntry();
  }

  private static byte[] classFile(String name, int access, String parent, String... interfaces) {
    ClassWriter writer = new ClassWriter(0);
    writer.visit(Opcodes.V17, access, PACKAGE + name, null, parent, interfaces);
    if ((access & Opcodes.ACC_INTERFACE) == 0) {
      for (int i = 0; i < METHODS; i++) {
        MethodVisitor method =
            writer.visitMethod(Opcodes.ACC_PUBLIC, "method" + i, "(I)I", null, null);
        if (i % 4 == 0) {
          String annotation = "L" + PACKAGE + "A" + name.length() * i % ANNOTATIONS + ";";
          method.visitAnnotation(annotation, true).visitEnd();
        }
        method.visitCode();
        method.visitLdcInsn("text " + i + " of " + name);
        method.visitInsn(Opcodes.POP);
        method.visitVarInsn(Opcodes.ILOAD, 1);
        method.visitInsn(Opcodes.IRETURN);
        method.visitMaxs(1, 2);
        method.visitEnd();
      }
    }
    writer.visitEnd();
    return writer.toByteArray();
  }
}
