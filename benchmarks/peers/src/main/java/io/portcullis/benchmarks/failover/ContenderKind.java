package io.portcullis.benchmarks.failover;

import static io.portcullis.benchmarks.failover.Versions.version;

import java.util.Optional;

/** The kinds of leader election that are compared. */
enum ContenderKind {
  PORTCULLIS_REDIS,
  REDISSON,
  PORTCULLIS_POSTGRES,
  SHEDLOCK,
  CURATOR;

  /** Name in the table, with the measured version. */
  String label() {
    return switch (this) {
      case PORTCULLIS_REDIS -> "Portcullis, Redis";
      case REDISSON -> "Redisson " + version("redisson") + " `RLock`, Redis";
      case PORTCULLIS_POSTGRES -> "Portcullis, Postgres";
      case SHEDLOCK -> "ShedLock " + version("shedlock") + " `JdbcTemplateLockProvider`, Postgres";
      case CURATOR -> "Curator " + version("curator") + " `LeaderLatch`, ZooKeeper";
    };
  }

  /** The agent's backend, if the agent participates. */
  Optional<String> agentBackend() {
    return switch (this) {
      case PORTCULLIS_REDIS -> Optional.of("redis");
      case PORTCULLIS_POSTGRES -> Optional.of("postgres");
      case REDISSON, SHEDLOCK, CURATOR -> Optional.empty();
    };
  }
}
