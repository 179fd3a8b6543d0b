package io.portcullis.benchmarks.failover;

/**
 * A node's participation in one election. All methods but {@link #mayAct()} are called by one
 * thread.
 */
public interface Contender {

  /** Joins the election; may return at once or when this node leads. */
  void join() throws Exception;

  /** The check that an application makes before it acts. Must not leave the process. */
  boolean mayAct();

  /** Hands over gracefully, and does not participate until the next {@link #join()}. */
  void stepDown() throws Exception;

  /** Creates a contender that is connected to its store. */
  static Contender of(ContenderKind kind, String server, String election) throws Exception {
    return switch (kind) {
      case PORTCULLIS_REDIS, PORTCULLIS_POSTGRES -> new AgentContender();
      case REDISSON -> new RedissonContender(server, election);
      case SHEDLOCK -> new ShedLockContender(server, election);
      case CURATOR -> new CuratorContender(server, election);
    };
  }
}
