package io.portcullis.backend.redis;

import static org.awaitility.Awaitility.await;

import io.portcullis.backend.redis.LeaseScript.LeaseKeys;
import io.portcullis.backend.redis.RedisStorePlan.RedisAccess;
import io.portcullis.election.config.Backoff;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.contract.Claimant;
import io.portcullis.election.contract.TestTimeouts;
import io.portcullis.election.contract.TimedStoreFixture;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.servers.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** A new election on a real Redis, under its address or that of a proxy. */
record RedisFixture(
    int adminPort, RedisAccess access, LeaseKeys keys, int replicas, boolean newServer)
    implements TimedStoreFixture {
  static final Duration LEASE = Duration.ofSeconds(1);
  static final Duration LONG = TestTimeouts.MAX_WAIT;

  /** Short, because a server grants nothing until it has been up for longer than a lease. */
  static final Duration STEADY_LEASE = Duration.ofSeconds(6);

  RedisFixture(int adminPort, RedisAccess access, LeaseKeys keys, int replicas) {
    this(adminPort, access, keys, replicas, false);
  }

  /** The same election for nodes to which the server counts as new. */
  RedisFixture trustingNewServer() {
    return new RedisFixture(adminPort, access, keys, replicas, true);
  }

  static RedisFixture on(RedisServer server) {
    return at(server, server.uri());
  }

  static RedisFixture at(RedisServer server, String uri) {
    return new RedisFixture(server.port(), access(uri), newKeys(), 0);
  }

  static RedisAccess access(String uri) {
    RedisAddress address = RedisAddress.parse(uri);
    String password = address.password();
    return new RedisAccess(
        address, address.user(), password == null ? null : () -> password, null, true);
  }

  static LeaseKeys newKeys() {
    return LeaseKeys.of("test:" + UUID.randomUUID());
  }

  RedisFixture needing(int confirmations) {
    return new RedisFixture(adminPort, access, keys, confirmations, newServer);
  }

  /** The same election through another address. */
  RedisFixture by(String uri) {
    return new RedisFixture(adminPort, access(uri), keys, replicas, newServer);
  }

  @Override
  public Timing timing() {
    Backoff pace = new Backoff(LEASE.dividedBy(10), LEASE.dividedBy(4), 0.1);
    return Timing.builder()
        .lease(LEASE)
        .renew(LEASE.dividedBy(5))
        .askTimeout(LEASE.dividedBy(2))
        .retryThenStepDown(List.of(LEASE.dividedBy(20), LEASE.dividedBy(10)))
        .heldBackoff(pace)
        .unknownBackoff(pace)
        .drain(Duration.ofSeconds(1))
        .build();
  }

  @Override
  public Duration steadyLease() {
    return STEADY_LEASE;
  }

  @Override
  public LeaseStore open(ElectionConfig config) {
    return new RedisStorePlan(config.timing(), access, keys, replicas, newServer).open(config);
  }

  @Override
  public void wipe() {
    command("DEL", keys.lease(), keys.record());
  }

  /** Runs a command as an operator would. */
  String command(String... words) {
    return RedisCli.command(adminPort, words);
  }

  /** Waits out the lease and one second in which a new server grants nothing. */
  static RedisServer grown(RedisServer server) {
    return grown(server, LEASE);
  }

  /** Waits until the server grants leases of this length. */
  static RedisServer grown(RedisServer server, Duration lease) {
    await()
        .pollInterval(Duration.ofMillis(50))
        .atMost(LONG)
        .until(() -> uptime(server) > lease.toSeconds() + 2);
    return warmed(server);
  }

  /** The first request of a JVM loads the client, which may exceed a request's timeout. */
  static RedisServer warmed(RedisServer server) {
    try (Claimant first = on(server).claimant("first")) {
      await()
          .atMost(LONG)
          .until(
              () -> !first.ask(new LeaseRequest.Look()).toString().contains("no response within"));
    }
    return server;
  }

  private static int uptime(RedisServer server) {
    String info = RedisCli.command(server, "INFO", "server");
    String after = info.substring(info.indexOf("uptime_in_seconds:") + 18);
    return Integer.parseInt(after.substring(0, after.indexOf('\r')));
  }
}
