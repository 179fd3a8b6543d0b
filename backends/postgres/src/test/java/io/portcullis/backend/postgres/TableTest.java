package io.portcullis.backend.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.contract.Claimant;
import io.portcullis.election.contract.Pair;
import io.portcullis.election.store.Answer;
import io.portcullis.election.store.Answer.Granted;
import io.portcullis.election.store.Answer.Unknown;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.Request;
import io.portcullis.servers.PostgresServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table and the row, as they are made and as an operator may leave them. */
class TableTest {
  private final PostgresServer server = SharedPostgres.SERVER;
  private final Site site = Site.on(server);

  @Test
  void theRowTellsAnOperatorWhoLeads() {
    try (Claimant a = site.claimant("a")) {
      Granted won = a.lead();
      String beats = site.column("beats");
      a.renew(won.epoch());

      assertThat(site.column("holder_identity")).isEqualTo("a");
      assertThat(site.column("epoch")).isEqualTo(Long.toString(won.epoch()));
      assertThat(site.column("lease_ms")).isEqualTo("1000");
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
  void aSecondElectionInTheSameTableWaitsALeaseSinceItsRowMayHaveBeenDeleted() {
    try (Claimant a = site.claimant("a");
        Claimant other = site.scoped("other").claimant("b")) {
      a.lead();

      LeaseRecord ground = Claimant.shown(other.acquire(other.claim()));

      assertThat(ground.remaining()).isEqualTo(Site.LEASE);
      assertThat(other.lead().epoch()).isPositive();
      assertThat(a.look().holder()).isEqualTo("a");
    }
  }

  @Test
  void anUnloggedTableIsRefused() {
    try (Claimant a = site.claimant("a")) {
      Granted won = a.lead();
      a.release(won);
      server.execute("ALTER TABLE " + site.table() + " SET UNLOGGED");

      Answer answer = a.acquire(a.claim());

      assertThat(answer).isInstanceOf(Unknown.class);
      assertThat(((Unknown) answer).why()).contains("unlogged", "SET LOGGED");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "lease_ms = -1, lease",
    "epoch = -7, epoch",
    "epoch = 9223372036854775807, epoch",
    "lease_ms = 9223372036854775, lease"
  })
  void aRowThatCannotBeRightGrantsNothingAndSaysSo(String edit, String named) {
    try (Claimant a = site.claimant("a")) {
      a.release(a.lead());
      server.execute("UPDATE " + site.table() + " SET " + edit);

      Answer look = a.ask(new Request.Look());
      Answer claim = a.acquire(a.claim());

      assertThat(look).isInstanceOf(Unknown.class);
      assertThat(claim).isInstanceOf(Unknown.class);
      assertThat(((Unknown) claim).why()).contains(named, "mend or delete it");
    }
  }

  @Test
  void aRowDeletedUnderALeaderEndsItsTenureAndTheNextIsAboveIt() throws Exception {
    try (Pair pair = site.pair()) {
      long epoch = pair.epoch();

      site.wipe();

      pair.awaitLeaderAbove(epoch);
    }
  }

  @Test
  void aTableRenamedUnderALeaderEndsItsTenureAndTheNextIsAboveIt() throws Exception {
    try (Pair pair = site.pair()) {
      long epoch = pair.epoch();

      server.execute("ALTER TABLE " + site.table() + " RENAME TO away_" + site.table());

      pair.awaitLeaderAbove(epoch);
    }
  }

  @Test
  void aRowMarkedReleasedByHandIsNotReopenedByItsHolder() {
    try (Claimant a = site.claimant("a");
        Claimant b = site.claimant("b")) {
      Granted won = a.lead();
      server.execute("UPDATE " + site.table() + " SET released = true");

      assertThat(Claimant.shown(a.renew(won.epoch())).released()).isTrue();
      assertThat(b.acquireInTheEnd(b.claim()).epoch()).isGreaterThan(won.epoch());
    }
  }

  @Test
  void aRowThatAnotherTransactionKeepsLockedShutsTheGateAndOpensAgainUnderTheSameEpoch()
      throws Exception {
    try (Pair pair = site.pair();
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
}
