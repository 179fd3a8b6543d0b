package io.portcullis.backend.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.LeaderElection;
import io.portcullis.election.contract.Claimant;
import io.portcullis.election.contract.GateWatch;
import io.portcullis.election.store.Answer;
import io.portcullis.election.store.Answer.Granted;
import io.portcullis.election.store.Answer.Unknown;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.Request;
import io.portcullis.servers.PostgresServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Rows and commits that are not as they should be. */
class AttackRowTest {
  private final PostgresServer server = SharedPostgres.SERVER;
  private final Site site = Site.on(server);

  @Test
  void aWarningOfACommitIsSeenOnTheStatement() throws Exception {
    server.execute("CREATE TABLE w_" + site.table() + " (i int)");
    server.execute(
        "CREATE FUNCTION w_"
            + site.table()
            + "() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE WARNING 'late'; RETURN new;"
            + " END $$");
    server.execute(
        "CREATE CONSTRAINT TRIGGER w AFTER INSERT ON w_"
            + site.table()
            + " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION w_"
            + site.table()
            + "()");
    try (var connection = server.connect();
        var statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("INSERT INTO w_" + site.table() + " VALUES (1)");
      connection.commit();
      assertThat(statement.getWarnings() != null).isTrue();
    }
  }

  @Test
  void aTakeWhoseWaitForAReplicaIsCancelledIsNoGrant() {
    PostgresServer own = PostgresServer.startLocal();
    Site there = Site.on(own);
    try (Claimant a = there.claimant("a")) {
      LeaseRecord released = a.release(a.lead());
      own.execute("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
      own.execute("SELECT pg_reload_conf()");
      await().until(() -> own.query("SHOW synchronous_standby_names").equals("nobody"));
      var asked = a.send(new Request.Acquire(a.claim(released.stamp())));
      String waiting =
          "SELECT coalesce(max(pid), 0) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
      await().until(() -> !own.query(waiting).equals("0"));
      own.query("SELECT pg_cancel_backend(" + own.query(waiting) + ")");

      assertThat(Claimant.answerTo(asked)).isInstanceOf(Unknown.class);
    } finally {
      own.close();
    }
  }

  @Test
  void aRowWithoutAHolderIdentityIsComplainedOf() throws Exception {
    server.execute(
        LeaseSql.definition(site.table())
            .replace("holder_identity text NOT NULL", "holder_identity text"));
    server.execute(
        "INSERT INTO "
            + site.table()
            + " VALUES ('test', 0, 0, NULL, NULL, NULL, NULL, 1000, 0, now(), false, '')");
    try (GateWatch watch = new GateWatch()) {
      LeaderElection node = site.node(watch, "node");
      boolean leads = node.awaitLeadership(Duration.ofSeconds(4));
      assertThat(leads || node.status().trouble() != null).isTrue();
    }
  }

  @Test
  void twoRowsOfOneScopeInATableWithoutAKeyGrantNothing() {
    server.execute(LeaseSql.definition(site.table()).replace(" PRIMARY KEY", ""));
    for (int i = 0; i < 2; i++) {
      server.execute(
          "INSERT INTO "
              + site.table()
              + " VALUES ('test', 0, 5, 'old', NULL, NULL, NULL, 10, "
              + i
              + ", now(), true, '')");
    }
    try (Claimant a = site.claimant("a");
        Claimant b = site.claimant("b")) {
      Answer first = a.acquire(a.claim(a.look().stamp()));
      LeaseRecord other = b.look();
      if (first instanceof Granted won) {
        Answer second = b.acquireInTheEnd(b.claim(other.stamp()));
        assertThat(a.renew(won.epoch())).isNotInstanceOf(Granted.class);
      }
    }
  }
}
