package io.portcullis.benchmarks.failover;

/** A node's part in one election. All but {@link #mayAct()} is called by one thread. */
public interface Contender {

  /** Takes part; may return at once or once this node leads. */
  void join() throws Exception;

  /** What an application asks before it acts. Must not leave the process. */
  boolean mayAct();

  /** Hands over in order, and does not take part until the next {@link #join()}. */
  void stepDown() throws Exception;

  /** A contender that is connected to its store. */
  static Contender of(ContenderKind kind, String server, String election) throws Exception {
    return switch (kind) {
      case PORTCULLIS_REDIS, PORTCULLIS_POSTGRES -> new AgentContender();
      case REDISSON -> new RedissonContender(server, election);
      case SHEDLOCK -> new ShedLockContender(server, election);
      case CURATOR -> new CuratorContender(server, election);
    };
  }
}
