package io.portcullis.benchmarks.failover;

import io.portcullis.servers.PostgresServer;
import io.portcullis.servers.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Map;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;

/** One server of each type that the kinds use for election. */
record Stores(RedisServer redis, PostgresServer postgres, TestingServer zookeeper) {
  private static final String SHEDLOCK_TABLE =
      "CREATE TABLE shedlock (name varchar(64) PRIMARY KEY, lock_until timestamp NOT NULL,"
          + " locked_at timestamp NOT NULL, locked_by varchar(255) NOT NULL)";

  static Stores start() throws Exception {
    PostgresServer postgres = PostgresServer.startLocal();
    postgres.execute(SHEDLOCK_TABLE);
    return new Stores(RedisServer.startLocal(), postgres, startZookeeper());
  }

  private static TestingServer startZookeeper() throws Exception {
    int anyPort = -1;
    int anyId = -1;
    int tick = Math.toIntExact(FailoverTiming.ZOOKEEPER_TICK.toMillis());
    boolean deleteAtClose = true;
    int anyNumberOfConnections = -1;
    InstanceSpec spec =
        new InstanceSpec(
            null,
            anyPort,
            anyPort,
            anyPort,
            deleteAtClose,
            anyId,
            tick,
            anyNumberOfConnections,
            Map.of(),
            InetAddress.getLoopbackAddress().getHostAddress());
    return new TestingServer(spec, true);
  }

  /** Address of the store for a contender of this kind. */
  String address(ContenderKind kind) {
    return switch (kind) {
      case PORTCULLIS_REDIS, REDISSON -> redis.uri();
      case PORTCULLIS_POSTGRES, SHEDLOCK -> postgres.url() + "?user=" + postgres.user();
      case CURATOR -> zookeeper.getConnectString();
    };
  }

  /** The store section of the agent's election configuration. */
  String agentSettings(ContenderKind kind, String key) {
    String backend = kind.agentBackend().orElseThrow();
    String place = backend.equals("redis") ? "uri" : "url";
    String name = backend.equals("redis") ? "key" : "scope";
    return "backend = %s, %s { %s = \"%s\", %s = \"%s\" }"
        .formatted(backend, backend, place, address(kind), name, key);
  }

  String postgresVersion() {
    return postgres.query("SHOW server_version");
  }

  /**
   * Stops all servers. Not a try-with-resources block, since it may be called before the work is
   * done.
   */
  void end() throws IOException {
    redis.close();
    postgres.close();
    zookeeper.close();
  }
}
