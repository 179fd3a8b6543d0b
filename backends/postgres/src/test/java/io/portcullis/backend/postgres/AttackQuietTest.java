package io.portcullis.backend.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.LeaderElection;
import io.portcullis.election.contract.GateWatch;
import io.portcullis.election.log.LogLines;
import io.portcullis.servers.PostgresServer;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A standby that could never lead says so before it is needed. */
class AttackQuietTest {
  private final PostgresServer server = SharedPostgres.SERVER;
  private final Site site = Site.on(server);

  private void complains(Site other, String about) throws Exception {
    try (GateWatch watch = new GateWatch();
        LogLines lines = LogLines.holding(about)) {
      LeaderElection leader = site.node(watch, "leader");
      assertThat(leader.awaitLeadership(Site.LONG)).isTrue();
      server.execute("GRANT SELECT ON " + site.table() + " TO PUBLIC");

      LeaderElection standby = other.node(watch, "standby");
      await().atMost(Site.LONG).until(() -> standby.leader().equals(Optional.of("leader")));
      await().pollDelay(Duration.ofSeconds(3)).until(() -> true);

      assertThat(standby.status().trouble() != null || !lines.list().isEmpty()).isTrue();
    }
  }

  @Test
  void aStandbyBehindALendingPoolerComplainsWhileAnotherLeads() throws Exception {
    try (TransactionPooler pooler = TransactionPooler.before(server.host(), server.port(), 3)) {
      complains(site.by(pooler.url()), "different backends");
    }
  }

  @Test
  void aStandbyThatMayNotWriteComplainsWhileAnotherLeads() throws Exception {
    String role = "quiet_" + site.table();
    server.execute("CREATE ROLE " + role + " LOGIN");
    complains(site.as(server.url(), role), "lacks");
  }
}
