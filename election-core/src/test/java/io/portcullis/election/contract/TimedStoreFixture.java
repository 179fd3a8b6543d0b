package io.portcullis.election.contract;

import io.portcullis.election.LeaderElection;
import io.portcullis.election.config.Timing;
import java.time.Duration;

/** A place whose nodes all have the same timing. */
public interface TimedStoreFixture extends StoreFixture {

  /** The timing of all nodes: a lease so short that tests can wait for its end. */
  Timing timing();

  /** The lease of nodes that must keep it, on a busy machine too. */
  default Duration steadyLease() {
    return TestTimeouts.STEADY_LEASE;
  }

  /**
   * The timing of nodes that must keep their leadership: as {@link #timing()}, but that no pause of
   * a busy machine ends the lease.
   */
  default Timing steadyTiming() {
    return steadyTiming(timing().askTimeout().multipliedBy(4));
  }

  /** The same for nodes that wait so long for an answer. */
  default Timing steadyTiming(Duration askTimeout) {
    Timing timing = timing();
    Duration lease = steadyLease();
    return Timing.builder()
        .lease(lease)
        .renew(timing.renew())
        .renewJitter(timing.renewJitter())
        .renewDeadline(lease.multipliedBy(2).dividedBy(3))
        .retryUntilLapse(timing.retry())
        .askTimeout(askTimeout)
        .holdAfterLapse(lease)
        .heldBackoff(timing.heldBackoff())
        .unknownBackoff(timing.unknownBackoff())
        .drain(timing.drain())
        .build();
  }

  /** A node that asks by hand, whose lease and requests no pause of a busy machine ends. */
  default Claimant claimant(String node) {
    return claimant(node, steadyLease().dividedBy(2));
  }

  /** The same, but that it waits only so long for an answer, since the test keeps one back. */
  default Claimant claimant(String node, Duration askTimeout) {
    return new Claimant(this, node, steadyTiming(askTimeout));
  }

  /** A node that asks by hand, whose lease is so short that the test can wait for its end. */
  default Claimant briefClaimant(String node) {
    Timing timing = timing();
    Timing patient =
        Timing.builder()
            .lease(timing.lease())
            .renew(timing.renew())
            .askTimeout(steadyLease().dividedBy(2))
            .holdAfterLapse(steadyLease())
            .build();
    return new Claimant(this, node, patient);
  }

  /** A node that takes part under watch. */
  default LeaderElection node(SplitBrainDetector watch, String name) {
    return ContenderPair.node(watch, this, name, timing());
  }

  /** Two nodes of this election. */
  default ContenderPair pair() throws InterruptedException {
    return pairWith(this);
  }

  /** Two nodes whose leadership no pause of a busy machine ends. */
  default ContenderPair steadyPair() throws InterruptedException {
    return steadyPairWith(this);
  }

  /** The same, the second by another way. */
  default ContenderPair steadyPairWith(StoreFixture second) throws InterruptedException {
    return ContenderPair.at(this, steadyTiming(), second, steadyTiming());
  }

  /** Two nodes: the first has a short lease, and what the second gets it keeps. */
  default ContenderPair pairWithSteadySecond() throws InterruptedException {
    return pairWithSteadySecond(this);
  }

  /** The same, the second by another way. */
  default ContenderPair pairWithSteadySecond(StoreFixture second) throws InterruptedException {
    return ContenderPair.at(this, timing(), second, steadyTiming());
  }

  /** Two nodes, the second by another way. */
  default ContenderPair pairWith(StoreFixture second) throws InterruptedException {
    return ContenderPair.at(this, timing(), second, timing());
  }
}
