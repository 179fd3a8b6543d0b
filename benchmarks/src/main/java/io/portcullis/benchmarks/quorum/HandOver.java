package io.portcullis.benchmarks.quorum;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Measures a handover: the time from the call of {@code stepDown()} on the leader until another
 * gate is open.
 */
record HandOver(List<Group> groups) implements PartResult {

  /** Handover times by cluster size. */
  record Group(int members, Times times) {}

  private static final List<Integer> SIZES = List.of(3, 5);
  private static final int ROUNDS = 50;
  private static final int QUICK_ROUNDS = 10;
  private static final Duration TARGET = Duration.ofMillis(50);

  /** Steps of this size, taken modulo one, are evenly distributed for any number of steps. */
  private static final double GOLDEN = 0.618034;

  static HandOver measure(QuorumEnvironment environment, boolean quick) {
    List<Group> groups = new ArrayList<>();
    for (int size : SIZES) {
      try (BenchmarkCluster cluster = environment.assemble(size)) {
        cluster.start();
        List<Duration> times = new ArrayList<>();
        for (int i = 0; i < (quick ? QUICK_ROUNDS : ROUNDS); i++) {
          times.add(measure(cluster, (i * GOLDEN) % 1));
        }
        System.out.println("hand-over, " + size + " members: " + texts(times));
        groups.add(new Group(size, Times.of(times)));
      }
    }
    return new HandOver(groups);
  }

  /**
   * Measures one handover, at some moment between two heartbeats.
   *
   * @param phase the position between two heartbeats, 0 to 1
   */
  private static Duration measure(BenchmarkCluster cluster, double phase) {
    cluster.awaitAllKnow(cluster.awaitLeaderBeside(Optional.empty()));
    // At least one heartbeat, so that the node that stepped down participates again.
    long renew = cluster.renew().toNanos();
    Pause.lasting(Duration.ofNanos(renew + renew / 4 + (long) (phase * renew)));
    BenchmarkMember leader = cluster.soleLeader();
    long asked = System.nanoTime();
    leader.election().stepDown();
    BenchmarkMember unused = cluster.awaitLeaderBeside(Optional.of(leader));
    return Duration.ofNanos(System.nanoTime() - asked);
  }

  private static String texts(List<Duration> times) {
    return String.join(", ", times.stream().map(Times::millis).toList());
  }

  @Override
  public String table() {
    StringBuilder text = new StringBuilder();
    text.append("| hand-over | rounds | median | p90 | longest |\n|---|---|---|---|---|\n");
    for (Group group : groups) {
      Times times = group.times();
      text.append("| ").append(group.members()).append(" members");
      text.append(" | ").append(times.count());
      for (Duration time : List.of(times.median(), times.quantile(0.9), times.longest())) {
        text.append(" | ").append(Times.millis(time));
      }
      text.append(" |\n");
    }
    return text.toString();
  }

  @Override
  public List<TargetResult> verdicts() {
    return groups.stream()
        .map(
            group -> {
              Duration median = group.times().median();
              return new TargetResult(
                  "hand-over among " + group.members() + ", median <= " + TARGET.toMillis() + " ms",
                  Times.millis(median),
                  median.compareTo(TARGET) <= 0);
            })
        .toList();
  }
}
