package io.portcullis.benchmarks.failover;

import static io.portcullis.benchmarks.failover.Versions.version;

import java.util.Optional;

/** What elects the leader. */
enum ContenderKind {
  PORTCULLIS_REDIS,
  REDISSON,
  PORTCULLIS_POSTGRES,
  SHEDLOCK,
  CURATOR;

  /** As the table names it, with the version measured. */
  String label() {
    return switch (this) {
      case PORTCULLIS_REDIS -> "Portcullis, Redis";
      case REDISSON -> "Redisson " + version("redisson") + " `RLock`, Redis";
      case PORTCULLIS_POSTGRES -> "Portcullis, Postgres";
      case SHEDLOCK -> "ShedLock " + version("shedlock") + " `JdbcTemplateLockProvider`, Postgres";
      case CURATOR -> "Curator " + version("curator") + " `LeaderLatch`, ZooKeeper";
    };
  }

  /** The agent's backend, if it is the agent that takes part. */
  Optional<String> agentBackend() {
    return switch (this) {
      case PORTCULLIS_REDIS -> Optional.of("redis");
      case PORTCULLIS_POSTGRES -> Optional.of("postgres");
      case REDISSON, SHEDLOCK, CURATOR -> Optional.empty();
    };
  }
}
