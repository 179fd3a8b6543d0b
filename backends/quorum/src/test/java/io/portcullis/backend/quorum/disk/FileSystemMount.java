package io.portcullis.backend.quorum.disk;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A mounted file system. Tests that need one are skipped if it can't be mounted. */
final class FileSystemMount implements AutoCloseable {
  private final Path mountPoint;

  private FileSystemMount(Path mountPoint) {
    this.mountPoint = mountPoint;
  }

  /** Mounts this type with these options at an empty folder, which must stay until closed. */
  static FileSystemMount at(Path mountPoint, String type, String options) {
    assumeTrue(
        run("mount", "-t", type, "-o", options, type, mountPoint.toString()),
        "needs root to mount a " + type);
    return new FileSystemMount(mountPoint);
  }

  Path mountPoint() {
    return mountPoint;
  }

  void remount(String options) {
    if (!run("mount", "-o", "remount," + options, mountPoint.toString())) {
      throw new AssertionError("can't remount " + mountPoint + " with " + options);
    }
  }

  @Override
  public void close() {
    if (!run("umount", mountPoint.toString())) {
      throw new AssertionError("can't unmount " + mountPoint);
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
      return false; // The command does not exist.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new IOException(e));
    }
  }
}
