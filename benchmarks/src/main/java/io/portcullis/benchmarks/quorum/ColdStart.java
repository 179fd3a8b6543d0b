package io.portcullis.benchmarks.quorum;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How soon members lead that have never voted: from just before the first one is started. */
record ColdStart(List<Group> groups) implements Findings {

  /**
   * Members by their number.
   *
   * @param open until one gate was open
   * @param known until all members knew whose
   * @param target for the median of the former
   */
  record Group(int members, Times open, Times known, Duration target) {}

  /** How often so many members are started, and what they are to reach. */
  private record Series(int members, int rounds, Duration target) {}

  private static final List<Series> SERIES =
      List.of(
          new Series(5, 11, Duration.ofSeconds(1)),
          new Series(10, 11, Duration.ofSeconds(2)),
          new Series(50, 5, Duration.ofSeconds(5)));

  private static final int QUICK_ROUNDS = 3;

  static ColdStart measure(QuorumEnvironment lab, boolean quick) {
    List<Group> groups = new ArrayList<>();
    for (Series series : SERIES) {
      List<Duration> open = new ArrayList<>();
      List<Duration> known = new ArrayList<>();
      for (int i = 0; i < (quick ? QUICK_ROUNDS : series.rounds()); i++) {
        try (BenchmarkCluster assembly = lab.assemble(series.members())) {
          long began = System.nanoTime();
          assembly.start();
          BenchmarkMember leader = assembly.awaitLeaderBeside(Optional.empty());
          open.add(Duration.ofNanos(System.nanoTime() - began));
          assembly.awaitAllKnow(leader);
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
