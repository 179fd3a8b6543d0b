package io.portcullis.election.sim;

import io.portcullis.election.config.Backoff;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.config.Timing.FirstElection;
import io.portcullis.election.config.TimingBuilder;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The scenario of a seed: number of nodes, kind of store, network faults, clock drift, and lease
 * length.
 */
final class SimulationScenario {
  private static final List<Double> DRIFTS = List.of(0.0, 0.01, 0.01, 0.03);
  private static final int MIN_LEASE_MILLIS = 6_000;
  private static final int MAX_LEASE_MILLIS = 24_000;

  private final SplittableRandom random;
  private final int nodes;
  private final boolean storeCounts;
  private final double drift;
  private final int troublePercent;
  private final boolean mixedLeases;
  private final Duration longestLease;
  private final FirstElection firstElection;
  private final Duration drain;
  private int born;

  SimulationScenario(long seed) {
    this.random = new SplittableRandom(seed);
    this.nodes = 2 + random.nextInt(4);
    this.storeCounts = random.nextBoolean();
    this.drift = DRIFTS.get(random.nextInt(DRIFTS.size()));
    this.troublePercent = random.nextInt(4) * 8;
    this.mixedLeases = random.nextBoolean();
    this.longestLease = millis(MIN_LEASE_MILLIS, MAX_LEASE_MILLIS);
    this.firstElection = random.nextBoolean() ? FirstElection.AT_ONCE : FirstElection.AFTER_LEASE;
    this.drain = random.nextBoolean() ? Duration.ofMillis(600) : longestLease.multipliedBy(2);
  }

  SplittableRandom random() {
    return random;
  }

  int nodes() {
    return nodes;
  }

  boolean storeCounts() {
    return storeCounts;
  }

  double drift() {
    return drift;
  }

  int troublePercent() {
    return troublePercent;
  }

  long latestNanos() {
    return longestLease.multipliedBy(3).toNanos();
  }

  Duration longestLease() {
    return longestLease;
  }

  /** Drain timeout. */
  Duration drain() {
    return drain;
  }

  /**
   * Whether the store may be emptied without a restart. A node that joins afterwards can't detect
   * that, so under {@link FirstElection#AT_ONCE} it is outside the promise.
   */
  boolean mayBeEmptied() {
    return firstElection == FirstElection.AFTER_LEASE;
  }

  ElectionConfig newNode() {
    born++;
    return new ElectionConfig("sim", "writer", "node-" + born, null, timing());
  }

  private Timing timing() {
    Duration lease =
        mixedLeases ? millis(MIN_LEASE_MILLIS / 2, (int) longestLease.toMillis()) : longestLease;
    Backoff pace = new Backoff(lease.dividedBy(8), lease.dividedBy(1 + random.nextInt(4)), 0.2);
    List<Duration> retry = List.of(lease.dividedBy(40), lease.dividedBy(30), lease.dividedBy(20));
    TimingBuilder timing =
        Timing.builder()
            .lease(lease)
            .renew(lease.dividedBy(3))
            .renewJitter(random.nextBoolean() ? 0 : 0.2)
            .askTimeout(lease.dividedBy(random.nextBoolean() ? 5 : 12))
            .heldBackoff(pace)
            .unknownBackoff(pace)
            .drift(drift)
            .longestLease(longestLease)
            .firstElection(firstElection)
            .drain(drain);
    if (random.nextInt(3) == 0) {
      timing.retryUntilLapse(retry).holdAfterLapse(lease.multipliedBy(2));
      if (random.nextBoolean()) {
        timing.askTimeout(lease.multipliedBy(3).dividedBy(2)); // Accepts very late responses.
      }
    } else {
      timing.retryThenStepDown(retry);
    }
    if (random.nextInt(4) == 0) {
      timing.renewDeadline(lease.multipliedBy(2).dividedBy(3));
    }
    return timing.build();
  }

  private Duration millis(int from, int to) {
    return Duration.ofMillis(from + random.nextInt(Math.max(1, to - from)));
  }

  @Override
  public String toString() {
    return nodes
        + " nodes, "
        + (storeCounts ? "counting" : "comparing")
        + " store, drift "
        + drift
        + ", trouble "
        + troublePercent
        + "%, "
        + (mixedLeases ? "mixed leases up to " : "leases of ")
        + longestLease.toMillis()
        + "ms, first election "
        + firstElection;
  }
}
