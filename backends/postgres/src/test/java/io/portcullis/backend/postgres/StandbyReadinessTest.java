package io.portcullis.backend.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.LeaderElection;
import io.portcullis.election.contract.ContenderPair;
import io.portcullis.election.contract.SplitBrainDetector;
import io.portcullis.election.log.LogCapture;
import io.portcullis.servers.PostgresServer;
import io.portcullis.servers.TransactionPooler;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A standby that could not take over reports it while another node leads, before it is needed. */
class StandbyReadinessTest {
  private final PostgresServer server = SharedPostgres.SERVER;
  private final PostgresFixture site = PostgresFixture.on(server);

  private void assertComplains(PostgresFixture ofStandby, String about) throws Exception {
    try (SplitBrainDetector watch = new SplitBrainDetector();
        LogCapture lines = LogCapture.holding("could not lead now")) {
      LeaderElection leader = ContenderPair.node(watch, site, "leader", site.steadyTiming());
      assertThat(leader.awaitLeadership(PostgresFixture.LONG)).isTrue();
      server.execute("GRANT SELECT ON " + site.table() + " TO PUBLIC");

      LeaderElection standby = ofStandby.node(watch, "standby");
      await()
          .atMost(PostgresFixture.LONG)
          .until(() -> standby.leader().equals(Optional.of("leader")));

      await().atMost(PostgresFixture.LONG).until(() -> !lines.list().isEmpty());
      assertThat(lines.list())
          .first()
          .asString()
          .startsWith("WARN portcullis election=writer node=standby ")
          .contains(about)
          .endsWith("scope_key=" + site.lockKey());
      assertThat(leader.isLeader()).isTrue();
    }
  }

  @Test
  void standbyBehindATransactionPoolerReportsIt() throws Exception {
    try (TransactionPooler pooler = TransactionPooler.before(server, "postgres", 3)) {
      assertComplains(site.by(pooler.url()), "pool_mode = transaction");
    }
  }

  @Test
  void standbyWithoutWriteRightsReportsIt() throws Exception {
    String role = "quiet_" + site.table();
    server.execute("CREATE ROLE " + role + " LOGIN");
    assertComplains(site.as(server.url(), role), "lacks UPDATE ON " + site.table());
  }
}
