package io.portcullis.backend.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.contract.Claimant;
import io.portcullis.election.store.Answer;
import io.portcullis.election.store.Answer.Granted;
import io.portcullis.election.store.Request;
import io.portcullis.servers.PostgresServer;
import io.portcullis.servers.TcpProxy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Connections and threads after many failures. */
class AttackLeakTest {
  private final PostgresServer server = SharedPostgres.SERVER;
  private final Site site = Site.on(server);

  private int sessions() {
    return Integer.parseInt(
        server.query(
            "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'portcullis "
                + site.scope()
                + "%'"));
  }

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(each -> each.getName().contains("postgres-"))
        .count();
  }

  @Test
  void manyReconnectsAndFailedOpensLeakNothing() {
    Site own = site.scoped("leak" + site.table());
    String count =
        "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'portcullis leak%'";
    TcpProxy proxy = TcpProxy.to(server.host(), server.port());
    long before = threads();
    try (Claimant a =
        own.by("jdbc:postgresql://" + proxy.host() + ":" + proxy.port() + "/postgres")
            .claimant("a")) {
      for (int i = 0; i < 40; i++) {
        a.acquire(a.claim());
        proxy.cut();
        a.renew(0);
        a.ask(new Request.Look());
      }
      server.execute(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE"
              + " 'portcullis leak%'");
      a.renew(0);
      a.ask(new Request.Look());
      await()
          .atMost(Duration.ofSeconds(10))
          .until(() -> Integer.parseInt(server.query(count)) <= 4);
      assertThat(threads() - before).isLessThan(10);
    }
    await().atMost(Duration.ofSeconds(10)).until(() -> server.query(count).equals("0"));
    await().atMost(Duration.ofSeconds(10)).until(() -> threads() <= before);
    proxy.close();
  }

  @Test
  void manyStoresOpenedAndClosedLeakNothing() {
    long before = threads();
    for (int i = 0; i < 15; i++) {
      try (Claimant a = site.claimant("a" + i)) {
        a.look();
      }
    }
    for (int i = 0; i < 15; i++) {
      // Closed while it is being opened.
      site.plan(Site.timing())
          .open(
              new io.portcullis.election.config.ElectionConfig(
                  "contract", "writer", "x" + i, null, Site.timing()))
          .close();
    }
    await().atMost(Duration.ofSeconds(10)).until(() -> threads() <= before);
    await().atMost(Duration.ofSeconds(10)).until(() -> sessions() == 0);
  }

  @Test
  void aStoreClosedWhileAStatementIsStuckLetsGoOfTheLockSoon() throws Exception {
    try (var connection = server.connect();
        var statement = connection.createStatement()) {
      Claimant a = site.claimant("a");
      Granted won = a.lead();
      int pid = site.holderPid();
      connection.setAutoCommit(false);
      statement.execute("SELECT * FROM " + site.table() + " FOR UPDATE");
      a.send(new Request.Renew("a", won.epoch(), Site.LEASE, null));
      a.send(new Request.Release("a", won.epoch(), won.incarnation()));
      var last = a.send(new Request.Renew("a", won.epoch(), Site.LEASE, null));
      await().pollDelay(Duration.ofMillis(200)).until(() -> true);
      a.close();
      Answer answer = Claimant.answerTo(last);
      long closed = System.nanoTime();
      String gone = "SELECT count(*) FROM pg_stat_activity WHERE pid = " + pid;
      await().atMost(Duration.ofSeconds(10)).until(() -> server.query(gone).equals("0"));
      connection.rollback();
    }
  }
}
