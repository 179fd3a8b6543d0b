package io.portcullis.rules.check.classpath;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** Read access to a jar, or to a directory with the layout of a jar. */
interface Archive extends AutoCloseable {
  /** Maximum size of a class file or manifest, larger than any compiler writes. */
  int MAX_CLASS_FILE_BYTES = 16 << 20;

  /** Paths of all files, separated by {@code /}. */
  List<String> names();

  /** Opens one of {@link #names}. */
  InputStream open(String name) throws IOException;

  /** Reads a class file or manifest. */
  default byte[] read(String name) throws IOException {
    try (InputStream in = open(name)) {
      return readLimited(in);
    }
  }

  static byte[] readLimited(InputStream in) throws IOException {
    byte[] bytes = in.readNBytes(MAX_CLASS_FILE_BYTES + 1);
    if (bytes.length > MAX_CLASS_FILE_BYTES) {
      throw new IOException("it is longer than " + MAX_CLASS_FILE_BYTES + " bytes");
    }
    return bytes;
  }

  static boolean isClassFile(String name) {
    return name.endsWith(".class");
  }

  static boolean isArchive(String name) {
    return name.endsWith(".jar") || name.endsWith(".war");
  }

  @Override
  void close() throws IOException;
}
