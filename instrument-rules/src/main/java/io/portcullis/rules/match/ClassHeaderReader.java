package io.portcullis.rules.match;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads the {@link ClassHeader} of a class file. It may be asked for every class that the JVM
 * loads, so it reads nothing else: fields, code and all other attributes are stepped over, and so
 * are the methods where the constant pool shows that nothing is annotated.
 */
public final class ClassHeaderReader {
  private static final int FIRST_CONSTANT = 10;
  private static final String VISIBLE = "RuntimeVisibleAnnotations";
  private static final String INVISIBLE = "RuntimeInvisibleAnnotations";
  private static final String CONTAINED = "value";

  private final ConstantPool constants;
  private final byte[] file;
  private int at;

  private ClassHeaderReader(byte[] file) {
    this.file = file;
    this.constants = new ConstantPool(file, FIRST_CONSTANT);
    this.at = constants.end();
  }

  /**
   * Reads the head.
   *
   * @throws IllegalArgumentException if this is no class file, or one of a kind not known here
   */
  public static ClassHeader read(byte[] classFile) {
    try {
      return new ClassHeaderReader(classFile).head();
    } catch (IndexOutOfBoundsException | NegativeArraySizeException e) {
      throw new IllegalArgumentException("The class file is broken.", e);
    }
  }

  private ClassHeader head() {
    int access = u2();
    String name = constants.className(u2());
    int superclass = u2();
    List<String> interfaces = interfaces();
    Set<String> annotations = Set.of();
    Set<String> methodAnnotations = Set.of();
    if (constants.hasText(VISIBLE) || constants.hasText(INVISIBLE)) {
      skipFields();
      methodAnnotations = new HashSet<>();
      for (int methods = u2(); methods > 0; methods--) {
        at += 6;
        attributes(methodAnnotations);
      }
      annotations = new HashSet<>();
      attributes(annotations);
    }
    if (at > file.length) {
      throw new IndexOutOfBoundsException(at);
    }
    return new ClassHeader(
        access,
        name,
        superclass == 0 ? null : constants.className(superclass),
        interfaces,
        annotations,
        methodAnnotations);
  }

  private List<String> interfaces() {
    int count = u2();
    if (count == 0) {
      return List.of();
    }
    List<String> interfaces = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      interfaces.add(constants.className(u2()));
    }
    return interfaces;
  }

  private void skipFields() {
    for (int fields = u2(); fields > 0; fields--) {
      at += 6;
      for (int attributes = u2(); attributes > 0; attributes--) {
        at += 2;
        at += 4 + u4(at);
      }
    }
  }

  private void attributes(Set<String> annotations) {
    for (int attributes = u2(); attributes > 0; attributes--) {
      int name = u2();
      int end = at + 4 + u4(at);
      if (constants.isText(name, VISIBLE) || constants.isText(name, INVISIBLE)) {
        at += 4;
        for (int count = u2(); count > 0; count--) {
          annotations.add(annotation(annotations));
        }
      }
      at = end;
    }
  }

  /** Its type; those that it contains as its {@code value} are added. */
  private String annotation(Set<String> contained) {
    String type = constants.typeName(u2());
    for (int elements = u2(); elements > 0; elements--) {
      int name = u2();
      if (file[at] == '[' && constants.isText(name, CONTAINED)) {
        at++;
        for (int values = u2(); values > 0; values--) {
          if (file[at] == '@') {
            at++;
            contained.add(annotation(new HashSet<>()));
          } else {
            skipValue();
          }
        }
      } else {
        skipValue();
      }
    }
    return type;
  }

  private void skipValue() {
    byte tag = file[at++];
    switch (tag) {
      case 'e' -> at += 4;
      case '@' -> annotation(new HashSet<>());
      case '[' -> {
        for (int values = u2(); values > 0; values--) {
          skipValue();
        }
      }
      default -> at += 2;
    }
  }

  private int u2() {
    int value = constants.u2(at);
    at += 2;
    return value;
  }

  private int u4(int position) {
    int value = constants.u2(position) << 16 | constants.u2(position + 2);
    if (value < 0) {
      throw new IllegalArgumentException("An attribute is longer than any class file.");
    }
    return value;
  }
}
