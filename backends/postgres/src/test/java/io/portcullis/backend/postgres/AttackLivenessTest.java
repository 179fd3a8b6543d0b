package io.portcullis.backend.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.LeaderElection;
import io.portcullis.election.contract.GateWatch;
import io.portcullis.election.contract.Pair;
import io.portcullis.election.machine.Absence;
import io.portcullis.servers.PostgresServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How long nobody leads. */
class AttackLivenessTest {
  private final PostgresServer server = SharedPostgres.SERVER;
  private final Site site = Site.on(server);

  private static long millisUntil(LeaderElection node) {
    long from = System.nanoTime();
    await().pollInterval(Duration.ofMillis(5)).atMost(Site.LONG).until(node::isLeader);
    return (System.nanoTime() - from) / 1_000_000;
  }

  @Test
  void aDrainedNodeWithTheLockDoesNotDelayEveryHandOver() throws Exception {
    try (GateWatch watch = new GateWatch()) {
      LeaderElection one = site.node(watch, "one");
      assertThat(one.awaitLeadership(Site.LONG)).isTrue();
      server.execute("UPDATE " + site.table() + " SET released = true");
      await().pollInterval(Duration.ofMillis(2)).until(() -> !one.isLeader());
      one.withdraw(Absence.DRAINED, Duration.ZERO);
      LeaderElection b = site.node(watch, "b");
      LeaderElection c = site.node(watch, "c");
      await().until(() -> c.leader().isPresent());
      long worst = 0;
      for (int i = 0; i < 3; i++) {
        LeaderElection from = i % 2 == 0 ? b : c;
        LeaderElection to = i % 2 == 0 ? c : b;
        from.stepDown();
        long took = millisUntil(to);
        worst = Math.max(worst, took);
      }
      assertThat(worst).isLessThan(600);
    }
  }

  @Test
  void aStandbyWhoseIdleSessionDiedSilentlyStillTakesOverWithinALeaseOrSo() throws Exception {
    try (Pair pair = site.pair()) {
      int holder = site.holderPid();
      String idle =
          server.query(
              "SELECT pid FROM pg_stat_activity WHERE application_name = 'portcullis test'"
                  + " AND pid <> "
                  + holder
                  + " AND backend_start > (SELECT backend_start FROM pg_stat_activity WHERE pid = "
                  + holder
                  + ") ORDER BY backend_start DESC LIMIT 1");
      server.pauseBackend(Integer.parseInt(idle));
      pair.first().withdraw(Absence.DRAINED, Duration.ZERO);
      long took = millisUntil(pair.second());
      server.resumeBackend(Integer.parseInt(idle));
      assertThat(took).isLessThan(1500);
    }
  }
}
