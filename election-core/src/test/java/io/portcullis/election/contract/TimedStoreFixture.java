package io.portcullis.election.contract;

import io.portcullis.election.LeaderElection;
import io.portcullis.election.config.Timing;
import java.time.Duration;

/** A store fixture whose nodes all have the same timing. */
public interface TimedStoreFixture extends StoreFixture {

  /** The timing of all nodes: a lease so short that tests can wait for its end. */
  Timing timing();

  /** The lease of nodes that must keep it, even on a busy machine. */
  default Duration steadyLease() {
    return TestTimeouts.STEADY_LEASE;
  }

  /**
   * The timing of nodes that must keep their leadership: like {@link #timing()}, but no pause of a
   * busy machine ends the lease.
   */
  default Timing steadyTiming() {
    return steadyTiming(timing().askTimeout().multipliedBy(4));
  }

  /** The same timing with another request timeout. */
  default Timing steadyTiming(Duration askTimeout) {
    return steadyTiming(askTimeout, steadyLease());
  }

  /** The same timing with another request timeout and lease. */
  default Timing steadyTiming(Duration askTimeout, Duration lease) {
    Timing timing = timing();
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

  /**
   * Creates a node whose requests the test sends; no pause of a busy machine ends its lease and
   * requests.
   */
  default Claimant claimant(String node) {
    return claimant(node, steadyLease().dividedBy(2));
  }

  /** Creates a node whose lease and requests end after any wait of a test. */
  default Claimant outlastingClaimant(String node) {
    Duration lease = TestTimeouts.OUTLASTING_LEASE;
    return new Claimant(this, node, steadyTiming(lease.dividedBy(2), lease));
  }

  /** The same with this request timeout, since the test holds a response back. */
  default Claimant claimant(String node, Duration askTimeout) {
    return new Claimant(this, node, steadyTiming(askTimeout));
  }

  /**
   * Creates a node whose requests the test sends, with a lease so short that the test can wait for
   * its end.
   */
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

  /** Creates a participating node that the detector checks. */
  default LeaderElection node(SplitBrainDetector watch, String name) {
    return ContenderPair.node(watch, this, name, timing());
  }

  /** Creates two nodes of this election. */
  default ContenderPair pair() throws InterruptedException {
    return pairWith(this);
  }

  /** Creates two nodes whose leadership no pause of a busy machine ends. */
  default ContenderPair steadyPair() throws InterruptedException {
    return steadyPairWith(this);
  }

  /** Creates two nodes whose leases end after any wait of a test. */
  default ContenderPair outlastingPair() throws InterruptedException {
    Timing timing =
        steadyTiming(timing().askTimeout().multipliedBy(4), TestTimeouts.OUTLASTING_LEASE);
    return ContenderPair.at(this, timing, this, timing);
  }

  /** The same, the second by another way. */
  default ContenderPair steadyPairWith(StoreFixture second) throws InterruptedException {
    return ContenderPair.at(this, steadyTiming(), second, steadyTiming());
  }

  /** Creates two nodes: the first has a short lease, and the second keeps its leadership. */
  default ContenderPair pairWithSteadySecond() throws InterruptedException {
    return pairWithSteadySecond(this);
  }

  /** The same, the second by another way. */
  default ContenderPair pairWithSteadySecond(StoreFixture second) throws InterruptedException {
    return ContenderPair.at(this, timing(), second, steadyTiming());
  }

  /** Creates two nodes, the second with another connection. */
  default ContenderPair pairWith(StoreFixture second) throws InterruptedException {
    return ContenderPair.at(this, timing(), second, timing());
  }
}
