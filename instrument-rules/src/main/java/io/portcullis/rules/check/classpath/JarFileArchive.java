package io.portcullis.rules.check.classpath;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** A jar that is a file of its own. */
final class JarFileArchive implements Archive {
  private final ZipFile zip;

  JarFileArchive(Path file) throws IOException {
    zip = new ZipFile(file.toFile());
  }

  @Override
  public List<String> names() {
    return zip.stream().filter(entry -> !entry.isDirectory()).map(ZipEntry::getName).toList();
  }

  @Override
  public InputStream open(String name) throws IOException {
    ZipEntry entry = zip.getEntry(name);
    if (entry == null) {
      throw new NoSuchFileException(name);
    }
    return zip.getInputStream(entry);
  }

  @Override
  public void close() throws IOException {
    zip.close();
  }
}
