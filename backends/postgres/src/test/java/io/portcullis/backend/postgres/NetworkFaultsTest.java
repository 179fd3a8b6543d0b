package io.portcullis.backend.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.LeaderElection;
import io.portcullis.election.contract.Claimant;
import io.portcullis.election.contract.GateWatch;
import io.portcullis.election.contract.Pair;
import io.portcullis.election.store.Answer.Granted;
import io.portcullis.servers.PostgresServer;
import io.portcullis.servers.TcpProxy;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A node whose network fails, while the others' works. */
class NetworkFaultsTest {
  private final PostgresServer server = SharedPostgres.SERVER;
  private final Site site = Site.on(server);
  private final TcpProxy proxy = TcpProxy.to(server.host(), server.port());
  private final Site behind =
      site.by("jdbc:postgresql://" + proxy.host() + ":" + proxy.port() + "/postgres");

  @AfterEach
  void close() {
    proxy.close();
  }

  @Test
  void aLeaderInABlackHoleIsReplacedAfterItsGateHasShut() throws Exception {
    try (Pair pair = behind.pairWith(site)) {
      long epoch = pair.epoch();

      proxy.dropSilently();

      pair.awaitLeaderAbove(epoch);
      assertThat(pair.second().isLeader()).isTrue();
      proxy.heal();
      pair.watchFor(Duration.ofSeconds(2)); // What was held back arrives now.
      assertThat(pair.second().isLeader()).isTrue();
    }
  }

  @Test
  void aNodeWhoseGrantIsNotHeardOfLeadsOnceItIsHeardAgain() throws Exception {
    try (GateWatch watch = new GateWatch();
        Claimant before = site.claimant("before")) {
      Granted held = before.lead();
      LeaderElection node = behind.node(watch, "node");
      await().atMost(Site.LONG).until(() -> node.leader().equals(Optional.of("before")));
      proxy.dropReplies();
      before.release(held);
      assertThat(node.awaitLeadership(Site.LEASE)).isFalse();

      proxy.heal();

      assertThat(node.awaitLeadership(Site.LONG)).isTrue();
      assertThat(node.epoch()).isGreaterThan(held.epoch());
      watch.assertSafe();
    }
  }

  @Test
  void aLeaderWhoseRepliesAreLostShutsItsGateInTime() throws Exception {
    try (Pair pair = behind.pairWith(site)) {
      long epoch = pair.epoch();

      proxy.dropReplies();
      pair.awaitNobody();
      pair.watchFor(Site.LEASE.multipliedBy(3));
      proxy.cut();

      pair.awaitLeaderAbove(epoch);
    }
  }

  @Test
  void aNetworkThatIsSlowButFastEnoughKeepsTheLeader() throws Exception {
    try (Pair pair = behind.pairWith(site)) {
      long epoch = pair.epoch();

      proxy.delay(Duration.ofMillis(60));
      pair.watchFor(Duration.ofSeconds(3));

      assertThat(pair.first().isLeader()).isTrue();
      assertThat(pair.first().epoch()).isEqualTo(epoch);
    }
  }

  @Test
  void aCutConnectionCostsTheTenureButNotItsLease() throws Exception {
    try (Pair pair = behind.pairWith(site)) {
      long epoch = pair.epoch();

      proxy.cut();

      pair.awaitLeaderAbove(epoch);
      assertThat(pair.epoch()).isEqualTo(epoch + 1);
    }
  }
}
