package io.portcullis.election.contract;

import static io.portcullis.election.contract.TestTimeouts.MAX_WAIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.LeaderElection;
import io.portcullis.election.store.LeaseResponse.Granted;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests an election while one node's connection to a real store fails and the others' work. */
public abstract class NetworkContract {
  /** An election in which no node has participated yet. */
  protected abstract TimedStoreFixture site();

  /** The same election, reached through the network with faults. */
  protected abstract TimedStoreFixture behind();

  /** The network in front of {@link #behind()}. */
  protected abstract NetworkFaults faults();

  @Test
  void disconnectedLeaderIsReplacedAfterItsGateShuts() throws Exception {
    try (ContenderPair pair = behind().pairWithSteadySecond(site())) {
      long epoch = pair.epoch();

      faults().dropSilently().run();

      pair.awaitLeads(pair.second(), epoch);
      faults().heal().run();
      pair.watchFor(Duration.ofSeconds(2)); // Delayed data arrives now.
      assertThat(pair.second().isLeader()).isTrue();
    }
  }

  @Test
  void nodeLeadsAfterALostGrantWhenResponsesArrive() throws Exception {
    try (SplitBrainDetector watch = new SplitBrainDetector();
        Claimant before = site().claimant("before")) {
      Granted held = before.lead();
      LeaderElection node = behind().node(watch, "node");
      await().atMost(MAX_WAIT).until(() -> node.leader().equals(Optional.of("before")));
      faults().dropReplies().run();
      before.release(held); // A following claim may be granted, but its response is lost.
      assertThat(node.awaitLeadership(behind().timing().lease())).isFalse();

      faults().heal().run();

      assertThat(node.awaitLeadership(MAX_WAIT)).isTrue();
      assertThat(node.epoch()).isGreaterThan(held.epoch());
      watch.assertSafe();
    }
  }

  @Test
  void slowNetworkWithinTheTimeoutsKeepsTheLeader() throws Exception {
    try (ContenderPair pair = behind().steadyPairWith(site())) {
      long epoch = pair.epoch();

      faults().delay().accept(Duration.ofMillis(60));
      pair.awaitRenewals(5);

      assertThat(pair.first().isLeader()).isTrue();
      assertThat(pair.first().epoch()).isEqualTo(epoch);
    }
  }
}
