package io.portcullis.rules.match;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the {@link ClassHeader} of a class file. It may be called for every class that the JVM
 * loads, so it skips everything else: fields, code and all other attributes, and also the methods
 * if the constant pool shows that nothing is annotated.
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
   * Reads the header.
   *
   * @throws IllegalArgumentException if this is not a class file or its format is not supported
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

  /** Reads an annotation's type; adds the annotations that it contains as its {@code value}. */
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

  /** Constant pool of a class file. Strings are decoded lazily. */
  static final class ConstantPool {
    private static final int MAGIC = 0xCAFE;
    private static final int TEXT = 1;
    private static final int LONG = 5;
    private static final int DOUBLE = 6;

    private final byte[] file;
    private final int[] places;
    private final int end;

    /** Reads the pool; the number of constants is just before {@code first}. */
    ConstantPool(byte[] file, int first) {
      this.file = file;
      if (file.length < first || u2(0) != MAGIC) {
        throw new IllegalArgumentException("This is no class file.");
      }
      places = new int[u2(first - 2)];
      int at = first;
      for (int i = 1; i < places.length; i++) {
        places[i] = at;
        if (file[at] == LONG || file[at] == DOUBLE) {
          i++; // It occupies two entries.
        }
        at += size(at);
      }
      end = at;
    }

    private int size(int at) {
      int tag = file[at];
      return switch (tag) {
        case TEXT -> 3 + u2(at + 1);
        case 7, 8, 16, 19, 20 -> 3; // Class, string, method type, module, package.
        case 15 -> 4; // A method handle.
        case 3, 4, 9, 10, 11, 12, 17, 18 -> 5; // Int, float, members, name and type, dynamic.
        case LONG, DOUBLE -> 9;
        default ->
            throw new IllegalArgumentException("Constant of unknown kind %d.".formatted(tag));
      };
    }

    /** Offset of the rest of the class file. */
    int end() {
      return end;
    }

    int u2(int at) {
      return (file[at] & 0xFF) << 8 | (file[at + 1] & 0xFF);
    }

    boolean hasText(String ascii) {
      for (int i = 1; i < places.length; i++) {
        if (places[i] != 0 && file[places[i]] == TEXT && isText(i, ascii)) {
          return true;
        }
      }
      return false;
    }

    boolean isText(int index, String ascii) {
      int at = places[index];
      int length = ascii.length();
      if (u2(at + 1) != length) {
        return false;
      }
      for (int i = 0; i < length; i++) {
        if (file[at + 3 + i] != ascii.charAt(i)) {
          return false;
        }
      }
      return true;
    }

    /** The binary name of the class that a constant refers to. */
    String className(int index) {
      int at = places[u2(places[index] + 1)];
      return name(at + 3, at + 3 + u2(at + 1));
    }

    /** The binary name in a descriptor such as {@code Lcom/acme/Ledger;}. */
    String typeName(int index) {
      int at = places[index];
      return name(at + 4, at + 2 + u2(at + 1));
    }

    /** Decodes a name from the JVM's variant of UTF-8, with dots instead of slashes. */
    private String name(int from, int to) {
      char[] name = new char[to - from];
      int length = 0;
      int at = from;
      while (at < to) {
        int b = file[at] & 0xFF;
        if (b < 0x80) {
          name[length++] = b == '/' ? '.' : (char) b;
          at += 1;
        } else if (b < 0xE0) {
          name[length++] = (char) ((b & 0x1F) << 6 | (file[at + 1] & 0x3F));
          at += 2;
        } else {
          int low = (file[at + 1] & 0x3F) << 6 | (file[at + 2] & 0x3F);
          name[length++] = (char) ((b & 0x0F) << 12 | low);
          at += 3;
        }
      }
      return new String(name, 0, length);
    }
  }

  /**
   * Properties of a class without its methods: access flags, supertypes and annotations. Sufficient
   * to decide whether a pattern can match the class. All names are binary names.
   *
   * @param superclass null only for {@code java.lang.Object}
   * @param annotations annotations of the type, of any retention; includes the annotations
   *     contained in an array named {@code value}, as in containers of repeated annotations
   * @param methodAnnotations annotations of all its methods
   */
  public record ClassHeader(
      int access,
      String name,
      @Nullable String superclass,
      List<String> interfaces,
      Set<String> annotations,
      Set<String> methodAnnotations) {
    private static final int ANNOTATION = 0x2000;

    public ClassHeader {
      interfaces = List.copyOf(interfaces);
      annotations = Set.copyOf(annotations);
      methodAnnotations = Set.copyOf(methodAnnotations);
    }

    public boolean isInterface() {
      return Modifier.isInterface(access);
    }

    /** Whether the class is an annotation type. */
    public boolean isAnnotationType() {
      return (access & ANNOTATION) != 0;
    }
  }
}
