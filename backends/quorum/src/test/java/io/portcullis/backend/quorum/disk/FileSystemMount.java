package io.portcullis.backend.quorum.disk;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A file system of a test's own. Tests that need one are skipped where it can't be mounted. */
final class FileSystemMount implements AutoCloseable {
  private final Path place;

  private FileSystemMount(Path place) {
    this.place = place;
  }

  /** Mounts this type with these options at an empty folder, which must stay until closed. */
  static FileSystemMount at(Path place, String type, String options) {
    assumeTrue(
        run("mount", "-t", type, "-o", options, type, place.toString()),
        "needs the right to mount a " + type + ", which is root's");
    return new FileSystemMount(place);
  }

  Path place() {
    return place;
  }

  void remount(String options) {
    if (!run("mount", "-o", "remount," + options, place.toString())) {
      throw new AssertionError("can't remount " + place + " with " + options);
    }
  }

  @Override
  public void close() {
    if (!run("umount", place.toString())) {
      throw new AssertionError("can't unmount " + place);
    }
  }

  private static boolean run(String... command) {
    try {
      Process process =
          new ProcessBuilder(new ArrayList<>(List.of(command)))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false; // There is no such command.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new IOException(e));
    }
  }
}
