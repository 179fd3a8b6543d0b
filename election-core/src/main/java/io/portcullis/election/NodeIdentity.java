package io.portcullis.election;

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
}
