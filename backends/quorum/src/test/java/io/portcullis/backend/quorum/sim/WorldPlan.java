package io.portcullis.backend.quorum.sim;

import io.portcullis.backend.quorum.machine.QuorumConfig;
import io.portcullis.backend.quorum.machine.QuorumConfig.MemberIdentity;
import io.portcullis.backend.quorum.machine.QuorumConfig.MemberTiming;
import io.portcullis.backend.quorum.machine.QuorumConfig.Membership;
import io.portcullis.election.config.Backoff;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.config.Timing.FirstElection;
import io.portcullis.election.config.TimingBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The scenario of a seed: number of members and witnesses, network faults, clock drift, and lease
 * lengths.
 */
final class WorldPlan {
  private static final List<Integer> SIZES = List.of(3, 3, 3, 5, 5, 5, 7);
  private static final int LARGE_CLUSTER_SIZE = 50;

  /** One seed in this many has a large cluster, which takes as long as dozens of other seeds. */
  private static final int LARGE_CLUSTER_EVERY = 64;

  private static final List<Double> DRIFTS = List.of(0.0, 0.01, 0.01, 0.03);

  /** Ask timeouts, in sixtieths of the lease. */
  private static final List<Integer> ASK_TIMEOUT_SIXTIETHS = List.of(5, 12, 38);

  private static final int MIN_LEASE_MILLIS = 6_000;
  private static final int MAX_LEASE_MILLIS = 24_000;

  /** One seed in this many has late replies to the first heartbeat of a leader. */
  private static final int LATE_RESPONSES_EVERY = 16;

  private static final int LATE_RESPONSES_REMAINDER = 10;

  private final @Nullable SplittableRandom lateResponses;
  private final SplittableRandom random;
  private final List<String> members;
  private final int witnesses;
  private final double drift;
  private final int faultPercent;
  private final boolean mixedLeases;
  private final Duration longestLease;
  private final FirstElection firstElection;
  private final Duration drain;
  private final int[] priorities;

  WorldPlan(long seed) {
    this.random = new SplittableRandom(seed);
    // A separate random source, so that all other seeds keep their scenarios.
    this.lateResponses =
        Math.floorMod(seed, LATE_RESPONSES_EVERY) == LATE_RESPONSES_REMAINDER
            ? new SplittableRandom(~seed)
            : null;
    int size =
        Math.floorMod(seed, LARGE_CLUSTER_EVERY) == LARGE_CLUSTER_EVERY - 1
            ? LARGE_CLUSTER_SIZE
            : SIZES.get(random.nextInt(SIZES.size()));
    this.members =
        IntStream.range(0, size).mapToObj(i -> String.format(Locale.ROOT, "m%02d", i)).toList();
    this.witnesses = random.nextBoolean() ? 0 : random.nextInt(size / 2 + 1);
    this.drift = DRIFTS.get(random.nextInt(DRIFTS.size()));
    this.faultPercent = random.nextInt(4) * 8;
    this.mixedLeases = random.nextBoolean();
    this.longestLease = randomDuration(MIN_LEASE_MILLIS, MAX_LEASE_MILLIS);
    this.firstElection = random.nextInt(3) > 0 ? FirstElection.AT_ONCE : FirstElection.AFTER_LEASE;
    this.drain = random.nextBoolean() ? Duration.ofMillis(600) : longestLease.multipliedBy(2);
    int distinctPriorities = 1 + random.nextInt(3);
    this.priorities = random.ints(size, 0, distinctPriorities).toArray();
  }

  SplittableRandom random() {
    return random;
  }

  /** Chooses late first responses; null for most seeds, in which no scenario delays them. */
  @Nullable SplittableRandom lateResponses() {
    return lateResponses;
  }

  int size() {
    return members.size();
  }

  int majority() {
    return members.size() / 2 + 1;
  }

  boolean isLargeCluster() {
    return size() == LARGE_CLUSTER_SIZE;
  }

  String name(int member) {
    return members.get(member);
  }

  int priority(int member) {
    return priorities[member];
  }

  double drift() {
    return drift;
  }

  int faultPercent() {
    return faultPercent;
  }

  long maxDelayNanos() {
    return longestLease.multipliedBy(3).toNanos();
  }

  Duration longestLease() {
    return longestLease;
  }

  Duration drain() {
    return drain;
  }

  /** A witness votes and never leads. */
  boolean isWitness(int member) {
    return member < witnesses;
  }

  ElectionConfig election(String identity, Timing timing) {
    return new ElectionConfig("sim", "writer", identity, null, timing);
  }

  QuorumConfig quorum(int member, String identity, Timing timing) {
    Duration minElectionTimeout =
        timing.lease().dividedBy(8 + random.nextInt(random.nextBoolean() ? 8 : 80));
    return new QuorumConfig(
        new Membership("sim/writer", members, member),
        new MemberIdentity(identity, null, priorities[member], !isWitness(member)),
        new MemberTiming(
            timing.lease(),
            longestLease,
            minElectionTimeout,
            minElectionTimeout.multipliedBy(3).dividedBy(1 + random.nextInt(2))),
        firstElection == FirstElection.AT_ONCE,
        random.nextLong());
  }

  /** The timing of a new process; a member may restart with another lease. */
  Timing timing() {
    Duration lease =
        mixedLeases
            ? randomDuration(MIN_LEASE_MILLIS / 2, (int) longestLease.toMillis())
            : longestLease;
    Backoff backoff = new Backoff(lease.dividedBy(8), lease.dividedBy(1 + random.nextInt(4)), 0.2);
    List<Duration> retry = List.of(lease.dividedBy(40), lease.dividedBy(30), lease.dividedBy(20));
    TimingBuilder timing =
        Timing.builder()
            .lease(lease)
            .renew(lease.dividedBy(3))
            .renewJitter(random.nextBoolean() ? 0 : 0.2)
            .askTimeout(
                lease
                    .multipliedBy(
                        ASK_TIMEOUT_SIXTIETHS.get(random.nextInt(ASK_TIMEOUT_SIXTIETHS.size())))
                    .dividedBy(60))
            .heldBackoff(backoff)
            .unknownBackoff(backoff)
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

  /** Not a whole number of milliseconds, since a lease need not be one. */
  private Duration randomDuration(int fromMillis, int toMillis) {
    int millis = fromMillis + random.nextInt(Math.max(1, toMillis - fromMillis));
    return Duration.ofMillis(millis).minusNanos(random.nextInt(1_000_000));
  }

  @Override
  public String toString() {
    return size()
        + " members, "
        + witnesses
        + " of them witnesses, drift "
        + drift
        + ", faults "
        + faultPercent
        + "%, "
        + (mixedLeases ? "mixed leases up to " : "leases of ")
        + longestLease.toMillis()
        + "ms, first election "
        + firstElection;
  }
}
