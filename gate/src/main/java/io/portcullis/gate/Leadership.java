package io.portcullis.gate;

/**
 * Leadership queries for application code.
 *
 * <p>In a JVM without the agent there are no competitors: every method returns what it would return
 * on the only instance, and {@link #active()} is false. With the agent, an unknown election name
 * causes an {@link IllegalArgumentException}.
 *
 * <p>The agent uses the copy of this class on the bootstrap loader. If an application bundles its
 * own copy and loads it first, that copy knows nothing of the elections and must not act as the
 * only instance: each of its methods throws an {@link IllegalStateException}.
 *
 * <p>Each result is valid only at the moment of the call.
 */
public final class Leadership {
  private static final boolean SHADOWS_THE_AGENTS = shadowsTheAgents();

  private Leadership() {}

  /** Whether the agent is installed in this JVM. */
  public static boolean active() {
    if (SHADOWS_THE_AGENTS) {
      throw new IllegalStateException(
          "This copy of io.portcullis.gate was loaded by %s, beside the agent's own on the bootstrap"
                  .formatted(Leadership.class.getClassLoader())
              + " loader, and can't know who leads. Do not bundle portcullis-gate with the"
              + " application: depend on it for compiling only (scope provided, compileOnly).");
    }
    return !ElectionRegistry.none();
  }

  /** Whether this node may act at this moment; true without the agent. */
  public static boolean isLeader(String election) {
    return !active() || ElectionRegistry.named(election).isOpen();
  }

  /** The epoch under which this node leads, else the highest it has seen; 0 if none. */
  public static long epoch(String election) {
    return active() ? ElectionRegistry.named(election).epoch() : 0;
  }

  /** The identity of the leader last seen, or null if none is known. */
  public static @Nullable String leader(String election) {
    return active() ? ElectionRegistry.named(election).leader() : null;
  }

  /**
   * Returns only if this node leads.
   *
   * @return the epoch under which it leads, to be passed to {@link #ensureEpoch} later; 0 without
   *     the agent
   * @throws NotLeaderException if it does not lead
   */
  public static long requireLeader(String election) {
    if (!active()) {
      return 0;
    }
    ElectionGate gate = ElectionRegistry.named(election);
    Permit open = gate.openPermit();
    if (open == Permit.NONE) {
      RequestRefusals.note(gate);
      throw gate.notLeader();
    }
    return open.epoch;
  }

  /**
   * Returns only if this node leads under exactly this epoch, that is, if no other node has led
   * since this node was given that epoch.
   *
   * @throws NotLeaderException if it does not lead under this epoch
   */
  public static void ensureEpoch(String election, long epoch) {
    if (!active()) {
      return;
    }
    ElectionGate gate = ElectionRegistry.named(election);
    Permit open = gate.openPermit();
    if (open == Permit.NONE || open.epoch != epoch) {
      RequestRefusals.note(gate);
      throw new NotLeaderException(gate, null, epoch, false);
    }
  }

  private static boolean shadowsTheAgents() {
    if (Leadership.class.getClassLoader() == null) {
      return false;
    }
    try {
      return Class.forName(Leadership.class.getName(), false, null) != Leadership.class;
    } catch (ClassNotFoundException withoutAgent) {
      return false;
    }
  }
}
