package io.portcullis.rules.check.classpath;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;

/** A jar within a jar, stored or deflated. What matters of it is held in memory, one at a time. */
final class NestedJarArchive implements Archive {
  /** A jar of jars that says it has more is not believed. */
  private static final int MAX_NESTED = 1 << 30;

  private static final int FIRST_BYTES = 4;

  private final Map<String, byte[]> files = new LinkedHashMap<>();

  /**
   * Reads all of it.
   *
   * @param flaws told if the rest of it can't be read; what came before is kept
   */
  NestedJarArchive(InputStream source, ReadProblemListener flaws) throws IOException {
    BufferedInputStream in = new BufferedInputStream(source);
    in.mark(FIRST_BYTES);
    byte[] first = in.readNBytes(2);
    in.reset();
    if (first.length < 2 || first[0] != 'P' || first[1] != 'K') {
      throw new ZipException("it is not a zip file");
    }
    try (ZipInputStream zip = new ZipInputStream(in)) {
      readAll(zip);
    } catch (IOException | IllegalArgumentException e) {
      flaws.complain("can't be read to its end: " + e.getMessage());
    }
  }

  private void readAll(ZipInputStream zip) throws IOException {
    long left = MAX_NESTED;
    for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
      String name = entry.getName();
      if (Archive.isClassFile(name) || name.equals(JarContents.MANIFEST)) {
        files.put(name, Archive.bounded(zip));
      } else if (Archive.isArchive(name)) {
        files.put(name, zip.readNBytes((int) left));
      } else {
        continue;
      }
      left -= files.get(name).length;
      if (left <= 0) {
        throw new ZipException("it holds more than " + MAX_NESTED + " bytes");
      }
    }
  }

  @Override
  public List<String> names() {
    return List.copyOf(files.keySet());
  }

  @Override
  public InputStream open(String name) throws IOException {
    byte[] bytes = files.get(name);
    if (bytes == null) {
      throw new NoSuchFileException(name);
    }
    return new ByteArrayInputStream(bytes);
  }

  @Override
  public void close() {
    files.clear();
  }
}
