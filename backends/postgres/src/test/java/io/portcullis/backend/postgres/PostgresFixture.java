package io.portcullis.backend.postgres;

import io.portcullis.backend.postgres.PostgresStorePlan.AdvisoryLockKey;
import io.portcullis.backend.postgres.jdbc.JdbcUrl;
import io.portcullis.backend.postgres.jdbc.PostgresAccess;
import io.portcullis.backend.postgres.jdbc.TableName;
import io.portcullis.election.config.Backoff;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.contract.Claimant;
import io.portcullis.election.contract.TestTimeouts;
import io.portcullis.election.contract.TimedStoreFixture;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.servers.PostgresServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A new election in its own table on a real Postgres, under its address or that of a proxy. */
record PostgresFixture(PostgresServer server, PostgresAccess access, TableName table, String scope)
    implements TimedStoreFixture {
  static final Duration LEASE = Duration.ofSeconds(2);
  static final Duration LONG = TestTimeouts.MAX_WAIT;

  private static final AtomicInteger TABLES = new AtomicInteger();

  static PostgresFixture on(PostgresServer server) {
    String table = "leader_" + ProcessHandle.current().pid() + "_" + TABLES.incrementAndGet();
    return new PostgresFixture(
        server, access(server.url(), "postgres"), TableName.parse(table), "test");
  }

  static PostgresAccess access(String url, @Nullable String user) {
    return new PostgresAccess(JdbcUrl.parse(url), user, null);
  }

  /** The same election through another address. */
  PostgresFixture by(String url) {
    return as(url, access.user());
  }

  /** The same election with another role. */
  PostgresFixture as(String url, @Nullable String user) {
    return new PostgresFixture(server, access(url, user), table, scope);
  }

  /** Another election in the same table. */
  PostgresFixture scoped(String other) {
    return new PostgresFixture(server, access, table, other);
  }

  @Override
  public Timing timing() {
    return timing(LEASE);
  }

  /** The timing that the backend derives from a lease, with short pauses. */
  static Timing timing(Duration lease) {
    return Timing.builder()
        .lease(lease)
        .renew(lease.dividedBy(5))
        .renewJitter(0.2)
        .askTimeout(lease.multipliedBy(3).dividedBy(4))
        .retryUntilLapse(List.of(lease.dividedBy(20), lease.dividedBy(10)))
        .holdAfterLapse(lease)
        .heldBackoff(Backoff.between(Duration.ofMillis(50), Duration.ofMillis(150)))
        .unknownBackoff(new Backoff(Duration.ofMillis(50), Duration.ofMillis(300), 0.2))
        .drain(Duration.ofSeconds(1))
        .build();
  }

  /** With the short lease: a session's time limits depend on it, and tests wait for them. */
  @Override
  public Claimant claimant(String node) {
    return briefClaimant(node);
  }

  PostgresStorePlan plan(Timing timing) {
    return new PostgresStorePlan(timing, access, table, scope, lockKey(), "test_leader");
  }

  /** Tables of different tests must not share a lock. */
  long lockKey() {
    return AdvisoryLockKey.of(table + scope);
  }

  /**
   * A store that is already connected if possible: tests do not depend on how fast a busy machine
   * connects.
   */
  @Override
  public LeaseStore open(ElectionConfig config) {
    LeaseStore store = plan(config.timing()).open(config);
    Claimant.answerTo(store.ask(new LeaseRequest.Look()));
    Claimant.answerTo(store.ask(new LeaseRequest.Release("nobody", 0, null)));
    return store;
  }

  @Override
  public void wipe() {
    server.execute("DELETE FROM " + table + " WHERE scope = '" + scope + "'");
  }

  /** A column of the row. */
  String column(String name) {
    return server.query(
        "SELECT " + name + "::text FROM " + table + " WHERE scope = '" + scope + "'");
  }

  /** The process id of the backend that serves the holder's session. */
  int holderPid() {
    return Integer.parseInt(column("backend_pid"));
  }
}
