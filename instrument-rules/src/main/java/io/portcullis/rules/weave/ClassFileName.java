package io.portcullis.rules.weave;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The internal name that a class file gives itself. Needed where a loader defines a class without
 * naming it, which the JVM allows and which must not be a way past the gate.
 */
final class ClassFileName {
  private static final int UTF8 = 1;
  private static final int LONG = 5;
  private static final int DOUBLE = 6;
  private static final int CLASS = 7;
  private static final int STRING = 8;
  private static final int METHOD_HANDLE = 15;
  private static final int METHOD_TYPE = 16;
  private static final int MODULE = 19;
  private static final int PACKAGE = 20;

  private ClassFileName() {}

  /** Null if this is no class file; the JVM will say so itself. */
  static @Nullable String of(byte[] classFile) {
    try {
      return read(new DataInputStream(new ByteArrayInputStream(classFile)));
    } catch (IOException | ArrayIndexOutOfBoundsException malformed) {
      return null;
    }
  }

  private static @Nullable String read(DataInputStream in) throws IOException {
    in.readInt(); // The magic number.
    in.readInt(); // The version.
    int size = in.readUnsignedShort();
    String[] names = new String[size];
    int[] nameOfClass = new int[size];
    for (int i = 1; i < size; i++) {
      int tag = in.readUnsignedByte();
      switch (tag) {
        case UTF8 -> names[i] = in.readUTF();
        case CLASS -> nameOfClass[i] = in.readUnsignedShort();
        case STRING, METHOD_TYPE, MODULE, PACKAGE -> in.readUnsignedShort();
        case METHOD_HANDLE -> in.skipNBytes(3);
        case LONG, DOUBLE -> {
          in.readLong();
          i++;
        }
        default -> in.readInt();
      }
    }
    in.readUnsignedShort(); // The access flags.
    return names[nameOfClass[in.readUnsignedShort()]];
  }
}
