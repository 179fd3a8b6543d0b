package io.portcullis.backend.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.LeaderElection;
import io.portcullis.election.contract.Claimant;
import io.portcullis.election.contract.GateWatch;
import io.portcullis.election.contract.Pair;
import io.portcullis.election.store.Answer;
import io.portcullis.election.store.Answer.Granted;
import io.portcullis.election.store.Answer.Unknown;
import io.portcullis.servers.PostgresServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Executions that two gates or one epoch twice might come from. */
class AttackSafetyTest {
  private final PostgresServer server = SharedPostgres.SERVER;
  private final Site site = Site.on(server);

  private String lockHolders() {
    return server.query(
        "SELECT coalesce(string_agg(l.pid::text, ','), '') FROM pg_locks l WHERE l.granted"
            + " AND l.locktype = 'advisory'"
            + " AND (l.classid::bigint << 32 | l.objid::bigint) = "
            + site.lockKey());
  }

  @Test
  void twoRolesWhoseSearchPathsFindDifferentTablesDoNotBothLead() throws Exception {
    String role = "own_" + site.table();
    server.execute("CREATE ROLE " + role + " LOGIN");
    server.execute("CREATE SCHEMA " + role + " AUTHORIZATION " + role);
    try (GateWatch watch = new GateWatch()) {
      LeaderElection one = site.as(server.url(), role).node(watch, "one");
      assertThat(one.awaitLeadership(Site.LONG)).isTrue();

      LeaderElection other = site.node(watch, "other");
      other.awaitLeadership(Site.LEASE.multipliedBy(5));
      await().pollDelay(Site.LEASE.multipliedBy(2)).until(() -> true); // Not for a moment only.

      assertThat(one.isLeader() && other.isLeader()).isFalse();
      watch.assertSafe();
    }
  }

  @Test
  void aSearchPathChangedWhileALeaderLeadsDoesNotMakeASecondOne() throws Exception {
    String role = "moved_" + site.table();
    server.execute("CREATE ROLE " + role + " LOGIN");
    server.execute("CREATE SCHEMA first_" + role + " AUTHORIZATION " + role);
    server.execute("CREATE SCHEMA second_" + role + " AUTHORIZATION " + role);
    server.execute("ALTER ROLE " + role + " SET search_path = first_" + role);
    Site moved = site.as(server.url(), role);
    try (GateWatch watch = new GateWatch()) {
      LeaderElection one = moved.node(watch, "one");
      assertThat(one.awaitLeadership(Site.LONG)).isTrue();

      server.execute("ALTER ROLE " + role + " SET search_path = second_" + role);
      LeaderElection other = moved.node(watch, "other");
      other.awaitLeadership(Site.LEASE.multipliedBy(5));
      await().pollDelay(Site.LEASE.multipliedBy(2)).until(() -> true); // Not for a moment only.

      assertThat(one.isLeader() && other.isLeader()).isFalse();
      watch.assertSafe();
    }
  }

  @Test
  void aRowRestoredFromABackupDoesNotGiveAnEpochTwice() {
    long later;
    try (Claimant a = site.claimant("a")) {
      a.release(a.lead());
      server.execute("CREATE TABLE backup_" + site.table() + " AS SELECT * FROM " + site.table());
      later = a.lead().epoch();
    }
    await().until(() -> lockHolders().isEmpty());
    await().until(() -> System.currentTimeMillis() / 1000 > later);
    server.execute("DELETE FROM " + site.table());
    server.execute("INSERT INTO " + site.table() + " SELECT * FROM backup_" + site.table());

    try (Claimant fresh = site.claimant("fresh")) {
      assertThat(fresh.lead().epoch()).isGreaterThan(later);
    }
  }

  @Test
  void aTableDroppedAndMadeAnewAtOnceDoesNotGiveAnEpochTwice() {
    long first;
    try (Claimant a = site.claimant("a");
        Claimant fresh = site.claimant("fresh")) {
      Granted won = a.lead();
      first = won.epoch();
      a.release(won);
      server.execute("DROP TABLE " + site.table());

      assertThat(fresh.lead().epoch()).isGreaterThan(first);
    }
  }

  @Test
  void aNodeThatDoesNotLeadKeepsNoLockAfterItsRowWasReleasedByHand() {
    try (Claimant a = site.claimant("a")) {
      Granted won = a.lead();
      server.execute("UPDATE " + site.table() + " SET released = true");

      a.renew(won.epoch());
      a.look();

      assertThat(lockHolders()).isEmpty();
    }
  }

  @Test
  void aDrainedNodeKeepsNoLockAfterItsRowWasReleasedByHand() throws Exception {
    try (GateWatch watch = new GateWatch()) {
      LeaderElection one = site.node(watch, "one");
      assertThat(one.awaitLeadership(Site.LONG)).isTrue();
      server.execute("UPDATE " + site.table() + " SET released = true");
      await().atMost(Site.LONG).until(() -> !one.isLeader());
      one.withdraw(io.portcullis.election.machine.Absence.DRAINED, Duration.ZERO);

      await().atMost(Duration.ofSeconds(5)).until(() -> lockHolders().isEmpty());
    }
  }

  @Test
  void aReleaseThatWarnsLeavesTheSessionInStepWithTheServer() {
    try (Claimant a = site.claimant("a")) {
      Granted won = a.lead();
      server.execute(
          "CREATE FUNCTION warn_"
              + site.table()
              + "() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF new.released THEN"
              + " RAISE WARNING 'beware'; END IF; RETURN new; END $$");
      server.execute(
          "CREATE TRIGGER warn BEFORE UPDATE ON "
              + site.table()
              + " FOR EACH ROW EXECUTE FUNCTION warn_"
              + site.table()
              + "()");
      Answer released =
          a.ask(
              new io.portcullis.election.store.Request.Release(
                  "a", won.epoch(), won.incarnation()));

      Answer again = a.acquire(a.claim());

      assertThat(released).isInstanceOf(Unknown.class);
      assertThat(again).isInstanceOf(Granted.class);
    }
  }

  @Test
  void aVeryLongIdentityLeadsToo() {
    try (Claimant a = site.claimant("a".repeat(8100))) {
      assertThat(a.lead().epoch()).isPositive();
    }
  }

  @Test
  void anIdentityWithSpacesAndQuotesLeadsAndIsHeard() {
    try (Claimant a = site.claimant("it's \"a\" \\ node; -- 'é'");
        Claimant b = site.claimant("b")) {
      Granted won = a.lead();
      a.renew(won.epoch());
      assertThat(b.look().holder()).isEqualTo(a.node());
      a.release(won);
      assertThat(b.acquireInTheEnd(b.claim()).epoch()).isGreaterThan(won.epoch());
    }
  }

  @Test
  void aViewOverAnUnloggedTableIsRefused() {
    server.execute(
        LeaseSql.definition(TableName.parse("below_" + site.table()))
            .replace("CREATE TABLE", "CREATE UNLOGGED TABLE"));
    server.execute("CREATE VIEW " + site.table() + " AS SELECT * FROM below_" + site.table());
    try (Claimant a = site.claimant("a")) {
      Answer first = a.acquire(a.claim());

      assertThat(first).isInstanceOf(Unknown.class);
    }
  }

  @Test
  void aRoleWhoseTransactionsAreReadOnlyByDefaultLeadsOrSaysWhy() {
    String role = "ro_" + site.table();
    server.execute("CREATE ROLE " + role + " LOGIN");
    server.execute("CREATE SCHEMA " + role + " AUTHORIZATION " + role);
    server.execute("ALTER ROLE " + role + " SET default_transaction_read_only = on");
    server.execute("ALTER ROLE " + role + " SET default_transaction_isolation = serializable");
    server.execute("ALTER ROLE " + role + " SET default_transaction_deferrable = on");
    server.execute("ALTER ROLE " + role + " SET idle_session_timeout = '300ms'");
    server.execute("ALTER ROLE " + role + " SET statement_timeout = '500ms'");
    server.execute("ALTER ROLE " + role + " SET track_activities = off");
    server.execute("ALTER ROLE " + role + " SET synchronous_commit = off");
    try (Claimant a = site.as(server.url(), role).claimant("a")) {
      Answer first = a.acquire(a.claim());
      server.execute("ALTER ROLE " + role + " RESET default_transaction_read_only");
    }
    try (Claimant a = site.as(server.url(), role).claimant("a")) {
      Granted won = a.lead();
      await().pollDelay(Duration.ofMillis(700)).until(() -> true);
      assertThat(a.renew(won.epoch())).isInstanceOf(Granted.class);
    }
  }

  @Test
  void aPairOnATableWithHashPartitionsWorks() throws Exception {
    server.execute(LeaseSql.definition(site.table()) + " PARTITION BY HASH (scope)");
    server.execute(
        "CREATE TABLE part_"
            + site.table()
            + " PARTITION OF "
            + site.table()
            + " FOR VALUES WITH (MODULUS 1, REMAINDER 0)");
    try (Pair pair = site.pair()) {
      long epoch = pair.epoch();
      pair.first().stepDown();
      pair.awaitLeaderAbove(epoch);
    }
  }
}
