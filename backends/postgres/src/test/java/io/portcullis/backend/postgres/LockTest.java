package io.portcullis.backend.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.contract.Claimant;
import io.portcullis.election.store.Answer;
import io.portcullis.election.store.Answer.Granted;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.servers.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The lock keeps order; it neither grants nor, for ever, refuses. */
class LockTest {
  private final PostgresServer server = SharedPostgres.SERVER;
  private final Site site = Site.on(server);

  private String lockHolders() {
    return server.query(
        "SELECT coalesce(string_agg(l.pid::text, ','), '') FROM pg_locks l WHERE l.granted"
            + " AND l.locktype = 'advisory'"
            + " AND (l.classid::bigint << 32 | l.objid::bigint) = "
            + site.lockKey());
  }

  /** Somebody else's session that takes the election's lock. */
  private Connection stranger() throws SQLException {
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
  void theHolderHasTheLockOnceAndGivesItBackWithTheLease() {
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
  void aRefusedClaimLeavesNoLockBehind() {
    try (Claimant a = site.claimant("a");
        Claimant b = site.claimant("b")) {
      Granted won = a.lead();
      LeaseRecord shown = b.look();
      a.renew(won.epoch());
      server.execute("SELECT pg_terminate_backend(" + site.holderPid() + ")");
      await().until(() -> lockHolders().isEmpty());

      b.acquire(b.claim(shown.stamp()));

      assertThat(lockHolders()).isEmpty();
    }
  }

  @Test
  void aDeadHoldersSessionIsEndedOnceItsLeaseIsWaitedOut() {
    try (Claimant dead = site.claimant("dead");
        Claimant b = site.claimant("b")) {
      Granted won = dead.lead();
      int pid = site.holderPid();
      LeaseRecord last = b.look();
      Claimant.waitOut(last);

      Granted taken = b.acquireInTheEnd(b.claim(last.stamp()));

      assertThat(taken.epoch()).isGreaterThan(won.epoch());
      assertThat(server.query("SELECT count(*) FROM pg_stat_activity WHERE pid = " + pid))
          .isEqualTo("0");
      assertThat(lockHolders()).isEqualTo(site.column("backend_pid"));
    }
  }

  @Test
  void aHolderWhoseSessionLivesGetsAGraceToBeatAgain() {
    try (Claimant slow = site.claimant("slow");
        Claimant b = site.claimant("b")) {
      Granted won = slow.lead();
      LeaseRecord last = b.look();
      Claimant.waitOut(last);

      Answer early = b.acquire(b.claim(last.stamp()));
      Answer beat = slow.renew(won.epoch());

      assertThat(Claimant.shown(early).stamp()).isEqualTo(last.stamp());
      assertThat(Claimant.granted(beat).epoch()).isEqualTo(won.epoch());
    }
  }

  @Test
  void aStrangerWithTheLockDelaysAReleasedLeaseByTheLongestLeaseAtMost() throws SQLException {
    try (Claimant a = site.claimant("a")) {
      Granted first = a.lead();
      LeaseRecord released = a.release(first);
      try (Connection stranger = stranger()) {
        long refusedAt = System.nanoTime();
        Answer early = a.acquire(a.claim(released.stamp()));

        Granted taken = a.acquireInTheEnd(a.claim(released.stamp()));
        Duration waited = Duration.ofNanos(System.nanoTime() - refusedAt);

        assertThat(Claimant.shown(early).released()).isTrue();
        assertThat(taken.epoch()).isGreaterThan(first.epoch());
        assertThat(waited).isGreaterThanOrEqualTo(Site.LEASE);
        assertThat(stranger.isClosed()).isFalse();
      }
    }
  }

  @Test
  void whoLeadsWithoutTheLockTakesItAsSoonAsItIsFree() throws SQLException {
    try (Claimant a = site.claimant("a")) {
      LeaseRecord released = a.release(a.lead());
      Granted taken;
      try (Connection stranger = stranger()) {
        taken = a.acquireInTheEnd(a.claim(released.stamp()));
        assertThat(stranger.isClosed()).isFalse();
      }
      await().until(() -> lockHolders().isEmpty());

      a.renew(taken.epoch());

      assertThat(lockHolders()).isEqualTo(site.column("backend_pid"));
    }
  }

  @Test
  void aTableTakenAwayFromALivingLeaderIsNotTakenForNew() {
    try (Claimant leader = site.claimant("leader");
        Claimant fresh = site.claimant("fresh")) {
      leader.lead();
      server.execute("ALTER TABLE " + site.table() + " RENAME TO gone_" + site.table());

      LeaseRecord ground = Claimant.shown(fresh.acquire(fresh.claim()));
      Answer atOnce = fresh.acquire(fresh.claim(ground.stamp()));

      assertThat(ground.holder()).isEmpty();
      assertThat(atOnce).isNotInstanceOf(Granted.class);
    }
  }

  @Test
  void aSessionThatIsNotTheHoldersIsNeverEndedEvenWithItsProcessId() throws SQLException {
    long before;
    try (Claimant a = site.claimant("a")) {
      before = a.lead().epoch();
    }
    await().until(() -> lockHolders().isEmpty());
    try (Claimant b = site.claimant("b");
        Connection innocent = server.connect();
        Connection stranger = stranger()) {
      String pid = pid(innocent);
      server.execute("UPDATE " + site.table() + " SET backend_pid = " + pid);
      LeaseRecord last = b.look();
      Claimant.waitOut(last);

      Granted taken = b.acquireInTheEnd(b.claim(last.stamp()));

      assertThat(taken.epoch()).isGreaterThan(before);
      assertThat(pid(innocent)).isEqualTo(pid);
      assertThat(stranger.isClosed()).isFalse();
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
