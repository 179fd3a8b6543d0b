package io.portcullis.backend.postgres;

import static org.awaitility.Awaitility.await;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.contract.Claimant;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.servers.PostgresServer;
import io.portcullis.servers.TcpProxy;
import org.junit.jupiter.api.Test;

/** No connection and no thread is left, however often stores are opened and connections cut. */
class ConnectionLeakTest {
  /** The maximum number for one node. */
  private static final int MAX_SESSIONS = 4;

  private final PostgresServer server = SharedPostgres.SERVER;
  private final PostgresFixture fresh = PostgresFixture.on(server);
  private final PostgresFixture site = fresh.scoped("leak_" + fresh.table());
  private final long threadsBefore = threads();

  private String ofThisTest() {
    return " FROM pg_stat_activity WHERE application_name LIKE 'portcullis " + site.scope() + "%'";
  }

  private int sessions() {
    return Integer.parseInt(server.query("SELECT count(*)" + ofThisTest()));
  }

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(each -> each.getName().contains("-postgres-"))
        .count();
  }

  private void awaitNothingLeft() {
    await().atMost(PostgresFixture.LONG).until(() -> sessions() == 0);
    await().atMost(PostgresFixture.LONG).until(() -> threads() <= threadsBefore);
  }

  @Test
  void manyCutConnectionsAreReplacedWithoutLeaks() {
    try (TcpProxy proxy = TcpProxy.to(server.host(), server.port());
        Claimant a =
            site.by("jdbc:postgresql://" + proxy.host() + ":" + proxy.port() + "/postgres")
                .claimant("a")) {
      for (int i = 0; i < 40; i++) {
        a.acquire(a.claim());
        proxy.cut();
        a.renew(0);
        a.ask(new LeaseRequest.Look());
      }
      server.execute("SELECT pg_terminate_backend(pid)" + ofThisTest());
      a.renew(0);
      a.ask(new LeaseRequest.Look());

      await().atMost(PostgresFixture.LONG).until(() -> sessions() <= MAX_SESSIONS);
    }
    awaitNothingLeft();
  }

  @Test
  void storesClosedWhileOpeningLeaveNothingBehind() {
    for (int i = 0; i < 15; i++) {
      try (Claimant a = site.claimant("a" + i)) {
        a.look();
      }
      ElectionConfig config = new ElectionConfig("test", "writer", "x" + i, null, site.timing());
      site.plan(site.timing()).open(config).close();
    }

    awaitNothingLeft();
  }
}
