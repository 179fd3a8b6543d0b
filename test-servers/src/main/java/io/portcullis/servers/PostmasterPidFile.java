package io.portcullis.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The file in which a running server records its state, line by line; a killed server leaves it
 * behind.
 */
record PostmasterPidFile(List<String> lines) {
  private static final int PID = 0;
  private static final int SHARED_MEMORY = 6;
  private static final int STATUS = 7;

  static PostmasterPidFile in(Path data) {
    try {
      return new PostmasterPidFile(Files.readAllLines(data.resolve("postmaster.pid")));
    } catch (IOException e) {
      return new PostmasterPidFile(List.of()); // The server is not running.
    }
  }

  boolean isReadyAs(long pid) {
    return line(PID).equals(Long.toString(pid)) && line(STATUS).equals("ready");
  }

  /**
   * Removes the shared memory segment. A killed server can't remove it, and a machine allows only a
   * few thousand.
   */
  void removeSharedMemory() {
    String keyAndId = line(SHARED_MEMORY);
    String id = keyAndId.substring(keyAndId.lastIndexOf(' ') + 1);
    if (id.isEmpty()) {
      return;
    }
    try {
      new ProcessBuilder("ipcrm", "-m", id)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException e) {
      return; // Without the command the segment, which is small, remains.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private String line(int index) {
    return index < lines.size() ? lines.get(index).trim() : "";
  }
}
