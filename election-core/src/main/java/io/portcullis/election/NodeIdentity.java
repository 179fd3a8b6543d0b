package io.portcullis.election;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** Creates identities that no other process ever has. */
public final class NodeIdentity {
  private NodeIdentity() {}

  /**
   * Returns {@code <host>-<pid>-<uuid>}. Each call returns a new one, so call it once per start.
   */
  public static String unique() {
    return unique(HostName.ofThisMachine());
  }

  /** Returns {@code <id>-<pid>-<uuid>}. Each call returns a new one, so call it once per start. */
  public static String unique(String id) {
    return id + "-" + ProcessHandle.current().pid() + "-" + UUID.randomUUID();
  }

  /** Finds the host name of this machine. */
  public static final class HostName {
    private static final Path LINUX = Path.of("/proc/sys/kernel/hostname");

    private HostName() {}

    /**
     * Returns the host name, or "node" if it can't be found. Never queries a name server: that
     * could delay the start of the application by seconds.
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
}
