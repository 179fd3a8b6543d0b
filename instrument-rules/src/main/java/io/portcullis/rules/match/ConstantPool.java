package io.portcullis.rules.match;

/**
 * The constants of a class file, found by their place; a text is made only when it is asked for.
 */
final class ConstantPool {
  private static final int MAGIC = 0xCAFE;
  private static final int TEXT = 1;
  private static final int LONG = 5;
  private static final int DOUBLE = 6;

  private final byte[] file;
  private final int[] places;
  private final int end;

  /** Reads the table that begins with the number of constants, just before {@code first}. */
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
        i++; // It takes two places.
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
      default -> throw new IllegalArgumentException("Constant of unknown kind %d.".formatted(tag));
    };
  }

  /** Where the rest of the class file begins. */
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

  /** The binary name of the class that a constant stands for. */
  String className(int index) {
    int at = places[u2(places[index] + 1)];
    return name(at + 3, at + 3 + u2(at + 1));
  }

  /** The binary name in a descriptor such as {@code Lcom/acme/Ledger;}. */
  String typeName(int index) {
    int at = places[index];
    return name(at + 4, at + 2 + u2(at + 1));
  }

  /** A name with dots for slashes, from the JVM's own variant of UTF-8. */
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
