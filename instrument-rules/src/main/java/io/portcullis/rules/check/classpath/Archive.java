package io.portcullis.rules.check.classpath;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** A jar, or a directory that is laid out like one. */
interface Archive extends AutoCloseable {
  /** More than any compiler writes; what claims to be longer is not read. */
  int MAX_CLASS_FILE_BYTES = 16 << 20;

  /** The files in it by their path, parted by {@code /}. */
  List<String> names();

  /** Opens one of {@link #names}. */
  InputStream open(String name) throws IOException;

  /** One class file or manifest. */
  default byte[] read(String name) throws IOException {
    try (InputStream in = open(name)) {
      return bounded(in);
    }
  }

  static byte[] bounded(InputStream in) throws IOException {
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
