package io.portcullis.election;

import java.util.UUID;

/** Makes identities that no other process ever has. */
public final class NodeIdentity {
  private NodeIdentity() {}

  /** {@code <id>-<pid>-<uuid>}: a new one at each call, so call it once per start. */
  public static String unique(String id) {
    return id + "-" + ProcessHandle.current().pid() + "-" + UUID.randomUUID();
  }
}
