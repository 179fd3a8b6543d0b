package io.portcullis.backend.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.LeaderElection;
import io.portcullis.election.contract.Claimant;
import io.portcullis.election.contract.GateWatch;
import io.portcullis.election.store.Answer.Granted;
import io.portcullis.election.store.Request;
import io.portcullis.servers.PostgresServer;
import io.portcullis.servers.TcpProxy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How long it takes after an outage, and what is left behind by it. */
class AttackOutageTest {
  private final PostgresServer server = SharedPostgres.SERVER;
  private final Site site = Site.on(server);

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(each -> each.getName().contains("-postgres-"))
        .count();
  }

  @Test
  void threadsEndSoonAfterACloseInABlackHole() throws Exception {
    TcpProxy proxy = TcpProxy.to(server.host(), server.port());
    Site behind = site.by("jdbc:postgresql://" + proxy.host() + ":" + proxy.port() + "/postgres");
    long before = threads();
    GateWatch watch = new GateWatch();
    LeaderElection node = behind.node(watch, "node");
    assertThat(node.awaitLeadership(Site.LONG)).isTrue();
    proxy.dropSilently();
    await().pollDelay(Duration.ofMillis(7500)).atMost(Site.LONG).until(() -> true);
    long from = System.nanoTime();
    watch.close();
    await().atMost(Duration.ofSeconds(60)).until(() -> threads() <= before);
    proxy.close();
  }

  @Test
  void nothingIsSentAnyMoreOnceTheStoreIsClosed() throws Exception {
    try (var connection = server.connect();
        var statement = connection.createStatement()) {
      Claimant a = site.claimant("a");
      Granted won = a.lead();
      connection.setAutoCommit(false);
      statement.execute("SELECT * FROM " + site.table() + " FOR UPDATE");
      a.send(new Request.Renew("a", won.epoch(), Site.LEASE, null));
      a.send(new Request.Release("a", won.epoch(), won.incarnation()));
      await().pollDelay(Duration.ofMillis(200)).until(() -> true);
      a.close();
      await().pollDelay(Duration.ofMillis(300)).until(() -> true);
      String alive =
          server.query(
              "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND wait_event_type ="
                  + " 'Lock' AND query LIKE '%"
                  + site.table()
                  + "%' AND pid <> pg_backend_pid()");
      connection.rollback();
      assertThat(alive).isEqualTo("0");
    }
  }

  @Test
  void aLeaseOfADayWorks() {
    try (Claimant a = new Claimant(site, "a", Site.timing(Duration.ofDays(1)))) {
      Granted won = a.lead();
      assertThat(a.renew(won.epoch())).isInstanceOf(Granted.class);
      a.release(won);
    }
  }

  @Test
  void aListenerThatIsEndedWhenIdleDoesNotComeBackAllTheTime() {
    String role = "idle_" + site.table();
    server.execute("CREATE ROLE " + role + " LOGIN");
    server.execute("CREATE SCHEMA " + role + " AUTHORIZATION " + role);
    server.execute("ALTER ROLE " + role + " SET idle_session_timeout = '500ms'");
    try (Claimant a = site.as(server.url(), role).claimant("a")) {
      int before = a.hints();
      await().pollDelay(Duration.ofSeconds(5)).until(() -> true);
      assertThat(a.hints() - before).isLessThan(3);
    }
  }

  @Test
  void aWarningOnEveryWriteKeepsEverybodyFromLeading() throws Exception {
    try (GateWatch watch = new GateWatch()) {
      LeaderElection node = site.node(watch, "node");
      assertThat(node.awaitLeadership(Site.LONG)).isTrue();
      server.execute(
          "CREATE FUNCTION warn_"
              + site.table()
              + "() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
              + " RAISE WARNING 'database must be vacuumed within 39999999 transactions';"
              + " RETURN new; END $$");
      server.execute(
          "CREATE TRIGGER warn BEFORE UPDATE ON "
              + site.table()
              + " FOR EACH ROW EXECUTE FUNCTION warn_"
              + site.table()
              + "()");
      await().pollDelay(Duration.ofSeconds(5)).until(() -> true);
    }
  }
}
