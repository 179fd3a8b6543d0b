package io.portcullis.election;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The name of this machine. */
public final class HostName {
  private static final Path LINUX = Path.of("/proc/sys/kernel/hostname");

  private HostName() {}

  /** Queries no name server: that could take seconds, before the application has started. */
  public static String ofThisMachine() {
    String name = System.getenv("HOSTNAME");
    if (name == null || name.isBlank()) {
      name = System.getenv("COMPUTERNAME");
    }
    if ((name == null || name.isBlank()) && Files.isReadable(LINUX)) {
      try {
        name = Files.readString(LINUX).trim();
      } catch (IOException e) { // Identities differ without it.
        name = null;
      }
    }
    return name == null || name.isBlank() ? "node" : name;
  }
}
