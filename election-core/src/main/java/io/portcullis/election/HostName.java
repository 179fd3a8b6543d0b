package io.portcullis.election;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds the host name of this machine. */
public final class HostName {
  private static final Path LINUX = Path.of("/proc/sys/kernel/hostname");

  private HostName() {}

  /**
   * Returns the host name, or "node" if it can't be found. Never asks a name server: that could
   * delay the start of the application by seconds.
   */
  public static String ofThisMachine() {
    String name = System.getenv("HOSTNAME");
    if (name == null || name.isBlank()) {
      name = System.getenv("COMPUTERNAME");
    }
    if ((name == null || name.isBlank()) && Files.isReadable(LINUX)) {
      try {
        name = Files.readString(LINUX).trim();
      } catch (IOException e) { // The name is optional: identities are unique without it.
        name = null;
      }
    }
    return name == null || name.isBlank() ? "node" : name;
  }
}
