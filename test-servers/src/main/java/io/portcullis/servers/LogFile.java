package io.portcullis.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The log file of a server. */
record LogFile(Path path) {
  private static final int MAX_SHOWN_CHARS = 2000;

  ProcessBuilder.Redirect redirect() {
    return ProcessBuilder.Redirect.appendTo(path.toFile());
  }

  String end() {
    try {
      String log = Files.readString(path);
      return log.substring(Math.max(0, log.length() - MAX_SHOWN_CHARS));
    } catch (IOException e) {
      return "no log: " + e;
    }
  }
}
