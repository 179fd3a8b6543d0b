package io.portcullis.servers;

import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Temporary folders. */
final class TempFolders {
  private static final Duration DELETE_TIMEOUT = Duration.ofMinutes(2);

  private TempFolders() {}

  static Path create(String name) {
    try {
      return Files.createTempDirectory("portcullis-" + name + "-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Deletes a folder that other processes may still write to or delete. */
  static void delete(Path folder) {
    long deadline = System.nanoTime() + DELETE_TIMEOUT.toNanos();
    while (!isDeleted(folder)) {
      if (deadline - System.nanoTime() < 0) {
        throw new IllegalStateException(folder + " can't be deleted: others write to it");
      }
      LoopbackPort.pauseBriefly();
    }
  }

  private static boolean isDeleted(Path folder) {
    if (!Files.exists(folder)) {
      return true;
    }
    try (Stream<Path> found = Files.walk(folder)) {
      List<Path> deepestFirst = found.sorted(Comparator.reverseOrder()).toList();
      for (Path path : deepestFirst) {
        Files.deleteIfExists(path);
      }
      return true;
    } catch (NoSuchFileException | DirectoryNotEmptyException e) {
      return false;
    } catch (UncheckedIOException e) { // Thrown during the walk, which has its own exception type.
      if (e.getCause() instanceof NoSuchFileException) {
        return false;
      }
      throw e;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Copies a folder that may be in use: files that disappear meanwhile are omitted. */
  static void copy(Path from, Path to, Predicate<Path> isLeftOut) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
              throws IOException {
            copyOne(folder);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (!isLeftOut.test(from.relativize(file))) {
              copyOne(file);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }

          private void copyOne(Path path) throws IOException {
            try {
              Files.copy(path, to.resolve(from.relativize(path)), COPY_ATTRIBUTES);
            } catch (NoSuchFileException e) {
              return; // Its owner has deleted it.
            }
          }
        });
  }
}
