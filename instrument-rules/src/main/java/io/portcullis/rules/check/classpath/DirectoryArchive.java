package io.portcullis.rules.check.classpath;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A directory of class files, or an archive that was unpacked. */
final class DirectoryArchive implements Archive {
  private final Path root;
  private final List<String> names;

  DirectoryArchive(Path root) throws IOException {
    this.root = root;
    try (Stream<Path> files = Files.walk(root, FileVisitOption.FOLLOW_LINKS)) {
      names =
          files
              .filter(Files::isRegularFile)
              .map(file -> root.relativize(file).toString().replace(File.separatorChar, '/'))
              .sorted()
              .toList();
    }
  }

  @Override
  public List<String> names() {
    return names;
  }

  @Override
  public InputStream open(String name) throws IOException {
    return Files.newInputStream(root.resolve(name));
  }

  @Override
  public void close() {
    // Nothing is held open.
  }
}
