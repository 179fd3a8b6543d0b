package io.portcullis.backend.postgres;

import static io.portcullis.election.contract.TestTimeouts.MAX_WAIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.backend.postgres.jdbc.TableName;
import io.portcullis.election.contract.Claimant;
import io.portcullis.election.contract.ContenderPair;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.Granted;
import io.portcullis.election.store.LeaseResponse.Unknown;
import io.portcullis.servers.PostgresServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table and the row, as the backend creates them and as an operator may change them. */
class LeaseTableTest {
  private final PostgresServer server = SharedPostgres.SERVER;
  private final PostgresFixture site = PostgresFixture.on(server);

  @Test
  void rowShowsAnOperatorTheLeader() {
    try (Claimant a = site.claimant("a")) {
      Granted won = a.lead();
      String beats = site.column("beats");
      a.renew(won.epoch());

      assertThat(site.column("holder_identity")).isEqualTo("a");
      assertThat(site.column("epoch")).isEqualTo(Long.toString(won.epoch()));
      assertThat(site.column("lease_ms"))
          .isEqualTo(Long.toString(PostgresFixture.LEASE.toMillis()));
      assertThat(site.column("address")).isEqualTo("http://a:8080");
      assertThat(site.column("released")).isEqualTo("false");
      assertThat(site.column("scope_key")).isEqualTo(Long.toString(site.lockKey()));
      assertThat(site.column("beats")).isEqualTo(Long.toString(Long.parseLong(beats) + 1));
      assertThat(site.column("(now() - last_heartbeat < interval '1 minute')")).isEqualTo("true");
      assertThat(site.column("backend_pid"))
          .isEqualTo(
              server.query(
                  "SELECT a.pid FROM pg_stat_activity a JOIN "
                      + site.table()
                      + " t ON a.pid = t.backend_pid AND a.backend_start = t.backend_start"));
    }
  }

  @Test
  void secondElectionInATableWaitsALeaseFirst() {
    try (Claimant a = site.claimant("a");
        Claimant other = site.scoped("other").claimant("b")) {
      a.lead();

      LeaseRecord ground = Claimant.shown(other.acquire(other.claim()));

      assertThat(ground.remaining()).isEqualTo(PostgresFixture.LEASE);
      assertThat(other.lead().epoch()).isPositive();
      assertThat(a.look().holder()).isEqualTo("a");
    }
  }

  @Test
  void unloggedTableIsRefused() {
    try (Claimant a = site.claimant("a")) {
      Granted won = a.lead();
      a.release(won);
      server.execute("ALTER TABLE " + site.table() + " SET UNLOGGED");

      LeaseResponse answer = a.acquire(a.claim());

      assertThat(answer).isInstanceOf(Unknown.class);
      assertThat(((Unknown) answer).why()).contains("unlogged", "SET LOGGED");
    }
  }

  @ParameterizedTest
  @CsvSource({"lease_ms = -1, lease", "lease_ms = 9223372036854775, lease"})
  void invalidRowGrantsNothingAndIsReported(String edit, String named) {
    try (Claimant a = site.claimant("a")) {
      a.release(a.lead());
      server.execute("UPDATE " + site.table() + " SET " + edit);

      LeaseResponse look = a.ask(new LeaseRequest.Look());
      LeaseResponse claim = a.acquire(a.claim());

      assertThat(look).isInstanceOf(Unknown.class);
      assertThat(claim).isInstanceOf(Unknown.class);
      assertThat(((Unknown) claim).why()).contains(named, "fix or delete it");
    }
  }

  @Test
  void deletedRowEndsTheTenureAndTheNextEpochIsHigher() throws Exception {
    try (ContenderPair pair = site.pair()) {
      long epoch = pair.epoch();

      site.wipe();

      pair.awaitLeaderAbove(epoch);
    }
  }

  @Test
  void renamedTableEndsTheTenureAndTheNextEpochIsHigher() throws Exception {
    try (ContenderPair pair = site.pair()) {
      long epoch = pair.epoch();

      server.execute("ALTER TABLE " + site.table() + " RENAME TO away_" + site.table());

      pair.awaitLeaderAbove(epoch);
    }
  }

  @Test
  void rowMarkedReleasedByHandIsNotReopenedByItsHolder() {
    try (Claimant a = site.claimant("a");
        Claimant b = site.claimant("b")) {
      Granted won = a.lead();
      server.execute("UPDATE " + site.table() + " SET released = true");

      assertThat(Claimant.shown(a.renew(won.epoch())).released()).isTrue();
      assertThat(b.acquireInTheEnd(b.claim()).epoch()).isGreaterThan(won.epoch());
    }
  }

  @Test
  void lockedRowShutsGateThenReopensSameEpoch() throws Exception {
    try (ContenderPair pair = site.pair();
        var connection = server.connect();
        var statement = connection.createStatement()) {
      long epoch = pair.epoch();
      connection.setAutoCommit(false);
      statement.execute("SELECT * FROM " + site.table() + " FOR UPDATE");
      pair.awaitNobody();
      connection.commit();

      pair.awaitLeaderAbove(epoch - 1);
      pair.watchFor(Duration.ofMillis(500));
      assertThat(pair.first().isLeader() || pair.second().isLeader()).isTrue();
    }
  }

  @Test
  void rowRestoredFromABackupGrantsNoEpochTwice() {
    String backup = "backup_" + site.table();
    long later;
    try (Claimant a = site.claimant("a")) {
      a.release(a.lead());
      server.execute("CREATE TABLE " + backup + " AS SELECT * FROM " + site.table());
      server.execute("UPDATE " + backup + " SET last_heartbeat = now() - interval '1 hour'");
      later = a.lead().epoch();
      a.release(later, a.look().recordVersion().incarnation());
    }
    await().atMost(MAX_WAIT).until(() -> System.currentTimeMillis() / 1000 > later);
    site.wipe();
    server.execute("INSERT INTO " + site.table() + " SELECT * FROM " + backup);

    try (Claimant fresh = site.claimant("fresh")) {
      assertThat(fresh.lead().epoch()).isGreaterThan(later);
    }
  }

  @Test
  void viewIsRefused() {
    String below = "below_" + site.table();
    server.execute(LeaseSql.definition(TableName.parse(below)));
    server.execute("CREATE VIEW " + site.table() + " AS SELECT * FROM " + below);
    try (Claimant a = site.claimant("a")) {
      assertThat(why(a.acquire(a.claim()))).contains("not an ordinary table");
    }
  }

  @Test
  void rowWithoutAHolderIsReported() {
    server.execute(
        LeaseSql.definition(site.table())
            .replace("holder_identity text NOT NULL", "holder_identity text"));
    insert("NULL", 0);
    try (Claimant a = site.claimant("a")) {
      assertThat(why(a.acquire(a.claim()))).contains("holder_identity", "fix or delete it");
    }
  }

  @Test
  void tableWithTwoRowsForAScopeGrantsNothing() {
    server.execute(LeaseSql.definition(site.table()).replace(" PRIMARY KEY", ""));
    insert("'old'", 0);
    insert("'old'", 1);
    try (Claimant a = site.claimant("a")) {
      assertThat(why(a.acquire(a.claim()))).contains("several rows", "ADD PRIMARY KEY");
    }
  }

  private void insert(String holder, int beats) {
    server.execute(
        "INSERT INTO "
            + site.table()
            + " VALUES ('test', 0, 5, "
            + holder
            + ", NULL, NULL, NULL, 10, "
            + beats
            + ", now(), true, '')");
  }

  private static String why(LeaseResponse answer) {
    assertThat(answer).isInstanceOf(Unknown.class);
    return ((Unknown) answer).why();
  }

  @Test
  void anyIdentityCanLeadAndSendHints() {
    for (String identity : List.of("it's \"a\" \\ node; -- 'é'", "a".repeat(8100))) {
      try (Claimant a = site.claimant(identity);
          Claimant b = site.claimant("b")) {
        Granted won = a.lead();
        int before = b.hints();
        assertThat(b.look().holder()).isEqualTo(identity);
        a.release(won);

        await().atMost(MAX_WAIT).until(() -> b.hints() > before);
        assertThat(b.acquireInTheEnd(b.claim()).epoch()).isGreaterThan(won.epoch());
        b.release(b.look().epoch(), won.incarnation());
      }
    }
  }

  @Test
  void releaseWithAWarningKeepsTheSessionUsable() {
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

      LeaseResponse released = a.ask(new LeaseRequest.Release("a", won.epoch(), won.incarnation()));

      assertThat(why(released)).contains("beware");
      assertThat(a.acquireInTheEnd(a.claim()).epoch()).isGreaterThan(won.epoch());
    }
  }
}
