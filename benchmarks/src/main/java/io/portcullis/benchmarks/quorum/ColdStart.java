package io.portcullis.benchmarks.quorum;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Measures a cold start: the time from just before the start of the first member, none of which has
 * ever voted, until one leads.
 */
record ColdStart(List<Group> groups) implements PartResult {

  /**
   * Cold start times of a cluster of one size.
   *
   * @param open until one gate was open
   * @param known until all members knew the leader
   * @param target for the median of the former
   */
  record Group(int members, Times open, Times known, Duration target) {}

  /** Number of starts for a cluster size, and the target. */
  private record Series(int members, int rounds, Duration target) {}

  private static final List<Series> SERIES =
      List.of(
          new Series(5, 11, Duration.ofSeconds(1)),
          new Series(10, 11, Duration.ofSeconds(2)),
          new Series(50, 5, Duration.ofSeconds(5)));

  private static final int QUICK_ROUNDS = 3;

  static ColdStart measure(QuorumEnvironment environment, boolean quick) {
    List<Group> groups = new ArrayList<>();
    for (Series series : SERIES) {
      List<Duration> open = new ArrayList<>();
      List<Duration> known = new ArrayList<>();
      for (int i = 0; i < (quick ? QUICK_ROUNDS : series.rounds()); i++) {
        try (BenchmarkCluster cluster = environment.assemble(series.members())) {
          long began = System.nanoTime();
          cluster.start();
          BenchmarkMember leader = cluster.awaitLeaderBeside(Optional.empty());
          open.add(Duration.ofNanos(System.nanoTime() - began));
          cluster.awaitAllKnow(leader);
          known.add(Duration.ofNanos(System.nanoTime() - began));
        }
      }
      System.out.println("cold start, " + series.members() + " members: " + texts(open));
      groups.add(new Group(series.members(), Times.of(open), Times.of(known), series.target()));
    }
    return new ColdStart(groups);
  }

  private static String texts(List<Duration> times) {
    return String.join(", ", times.stream().map(Times::seconds).toList());
  }

  @Override
  public String table() {
    StringBuilder text = new StringBuilder();
    text.append("| cold start | rounds | a gate open, median | longest");
    text.append(" | all know the leader, median | longest |\n|---|---|---|---|---|---|\n");
    for (Group group : groups) {
      text.append("| ").append(group.members()).append(" members");
      text.append(" | ").append(group.open().count());
      for (Times times : List.of(group.open(), group.known())) {
        text.append(" | ").append(Times.seconds(times.median()));
        text.append(" | ").append(Times.seconds(times.longest()));
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
              Duration median = group.open().median();
              return new TargetResult(
                  "cold start of " + group.members() + ", median < " + seconds(group.target()),
                  Times.seconds(median),
                  median.compareTo(group.target()) < 0);
            })
        .toList();
  }

  private static String seconds(Duration target) {
    return target.toSeconds() + " s";
  }
}
