package io.portcullis.backend.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.portcullis.election.contract.Claimant;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.Granted;
import io.portcullis.election.store.LeaseResponse.Unknown;
import io.portcullis.servers.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** The advisory lock orders takeovers; it never grants a lease, and never refuses one for good. */
class AdvisoryLockTest {
  private final PostgresServer server = SharedPostgres.SERVER;
  private final PostgresFixture site = PostgresFixture.on(server);

  private String lockHolders() {
    return server.query(
        "SELECT coalesce(string_agg(l.pid::text, ','), '') FROM pg_locks l WHERE l.granted"
            + " AND l.locktype = 'advisory'"
            + " AND (l.classid::bigint << 32 | l.objid::bigint) = "
            + site.lockKey());
  }

  /** A session outside of the election that holds the election's lock. */
  private Connection foreignSession() throws SQLException {
    Connection connection = server.connect();
    try (Statement statement = connection.createStatement();
        ResultSet locked =
            statement.executeQuery("SELECT pg_try_advisory_lock(" + site.lockKey() + ")")) {
      locked.next();
      assertThat(locked.getBoolean(1)).isTrue();
    }
    return connection;
  }

  @Test
  void holderTakesTheLockOnceAndReleasesItWithTheLease() {
    try (Claimant a = site.claimant("a")) {
      Granted won = a.lead();
      a.renew(won.epoch());
      a.renew(won.epoch());
      String whileHeld = lockHolders();
      a.release(won);

      assertThat(whileHeld).isEqualTo(site.column("backend_pid"));
      assertThat(lockHolders()).isEmpty();
    }
  }

  @Test
  void refusedClaimHoldsNoLock() {
    try (Claimant a = site.claimant("a");
        Claimant b = site.claimant("b")) {
      Granted won = a.lead();
      LeaseRecord shown = b.look();
      a.renew(won.epoch());
      server.execute("SELECT pg_terminate_backend(" + site.holderPid() + ")");
      await().atMost(PostgresFixture.LONG).until(() -> lockHolders().isEmpty());

      b.acquire(b.claim(shown.recordVersion()));

      assertThat(lockHolders()).isEmpty();
    }
  }

  @Test
  void sessionOfADeadHolderIsTerminatedAfterItsLease() {
    try (Claimant dead = site.claimant("dead");
        Claimant b = site.claimant("b")) {
      Granted won = dead.lead();
      int pid = site.holderPid();
      LeaseRecord last = b.look();
      Claimant.waitOut(last);

      Granted taken = b.acquireInTheEnd(b.claim(last.recordVersion()));

      assertThat(taken.epoch()).isGreaterThan(won.epoch());
      assertThat(server.query("SELECT count(*) FROM pg_stat_activity WHERE pid = " + pid))
          .isEqualTo("0");
      assertThat(lockHolders()).isEqualTo(site.column("backend_pid"));
    }
  }

  @Test
  void holderWithALiveSessionGetsAGracePeriodToRenew() {
    try (Claimant slow = site.claimant("slow");
        Claimant b = site.claimant("b")) {
      Granted won = slow.lead();
      LeaseRecord last = b.look();
      Claimant.waitOut(last);

      LeaseResponse early = b.acquire(b.claim(last.recordVersion()));
      LeaseResponse beat = slow.renew(won.epoch());

      assertThat(Claimant.shown(early).recordVersion()).isEqualTo(last.recordVersion());
      assertThat(Claimant.granted(beat).epoch()).isEqualTo(won.epoch());
    }
  }

  @Test
  void foreignLockHolderIsReportedAndRespected() throws SQLException {
    try (Claimant a = site.claimant("a")) {
      LeaseRecord released = a.release(a.lead());
      try (Connection foreign = foreignSession()) {
        LeaseResponse early = a.acquire(a.claim(released.recordVersion()));
        LeaseResponse late = awaitUnknown(a, released);

        assertThat(Claimant.shown(early).released()).isTrue();
        assertThat(((Unknown) late).why())
            .contains("backend " + pid(foreign), "pg_terminate_backend", "postgres.table");
      }

      assertThat(a.acquireInTheEnd(a.claim(released.recordVersion())).epoch())
          .isGreaterThan(released.epoch());
    }
  }

  private static LeaseResponse awaitUnknown(Claimant who, LeaseRecord waitedOut) {
    return await()
        .atMost(PostgresFixture.LONG)
        .until(() -> who.acquire(who.claim(waitedOut.recordVersion())), Unknown.class::isInstance);
  }

  @Test
  void takeoverWithoutALockTheDeadBackendKeeps() {
    assumeTrue(server.isControllable());
    try (Claimant dead = site.claimant("dead");
        Claimant b = site.claimant("b")) {
      Granted won = dead.lead();
      int pid = site.holderPid();
      LeaseRecord last = b.look();
      server.pauseBackend(pid);
      Claimant.waitOut(last);

      Granted taken = b.acquireInTheEnd(b.claim(last.recordVersion()));
      String whileStopped = lockHolders();
      server.resumeBackend(pid); // Its session learns only now that it was terminated.
      await().atMost(PostgresFixture.LONG).until(() -> lockHolders().isEmpty());
      b.renew(taken.epoch());

      assertThat(taken.epoch()).isGreaterThan(won.epoch());
      assertThat(whileStopped).isEqualTo(Integer.toString(pid));
      assertThat(lockHolders()).isEqualTo(site.column("backend_pid"));
    }
  }

  @Test
  void droppedTableOfALiveLeaderIsNotTreatedAsNew() {
    try (Claimant leader = site.claimant("leader");
        Claimant fresh = site.claimant("fresh")) {
      leader.lead();
      server.execute("ALTER TABLE " + site.table() + " RENAME TO gone_" + site.table());

      LeaseRecord ground = Claimant.shown(fresh.acquire(fresh.claim()));
      LeaseResponse atOnce = fresh.acquire(fresh.claim(ground.recordVersion()));

      assertThat(ground.holder()).isEmpty();
      assertThat(atOnce).isNotInstanceOf(Granted.class);
    }
  }

  @Test
  void sessionWithAReusedProcessIdIsNeverTerminated() throws SQLException {
    long before;
    try (Claimant a = site.claimant("a")) {
      before = a.lead().epoch();
    }
    await().atMost(PostgresFixture.LONG).until(() -> lockHolders().isEmpty());
    try (Claimant b = site.claimant("b");
        Connection innocent = server.connect();
        Connection foreign = foreignSession()) {
      String pid = pid(innocent);
      server.execute("UPDATE " + site.table() + " SET backend_pid = " + pid);
      LeaseRecord last = b.look();
      Claimant.waitOut(last);

      LeaseResponse refused = awaitUnknown(b, last);

      assertThat(((Unknown) refused).why()).contains("backend " + pid(foreign));
      assertThat(pid(innocent)).isEqualTo(pid);
      foreign.abort(Runnable::run);
      assertThat(b.acquireInTheEnd(b.claim(last.recordVersion())).epoch()).isGreaterThan(before);
    }
  }

  @Test
  void lockOfADeadHolderOfAnotherRoleIsBypassed() {
    server.execute(LeaseSql.definition(site.table()));
    try (Claimant dead = asRole("one").claimant("dead");
        Claimant b = asRole("two").claimant("b")) {
      Granted won = dead.lead();
      String kept = lockHolders();
      LeaseRecord last = b.look();
      Claimant.waitOut(last);

      Granted taken = b.acquireInTheEnd(b.claim(last.recordVersion()));

      assertThat(taken.epoch()).isGreaterThan(won.epoch());
      assertThat(lockHolders()).isEqualTo(kept);
    }
  }

  private PostgresFixture asRole(String name) {
    String role = name + "_" + site.table();
    server.execute("CREATE ROLE " + role + " LOGIN");
    server.execute("GRANT SELECT, INSERT, UPDATE ON " + site.table() + " TO " + role);
    return site.as(server.url(), role);
  }

  @Test
  void standbyReturnsTheLockEvenIfTheRowIsReleased() {
    try (Claimant a = site.claimant("a")) {
      Granted won = a.lead();
      server.execute("UPDATE " + site.table() + " SET released = true");

      a.renew(won.epoch());
      String whileItMayLead = lockHolders();
      a.look(); // Only a node whose gate is shut sends Look.

      assertThat(whileItMayLead).isNotEmpty();
      await().atMost(PostgresFixture.LONG).until(() -> lockHolders().isEmpty());
    }
  }

  private static String pid(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery("SELECT pg_backend_pid()")) {
      found.next();
      return found.getString(1);
    }
  }
}
