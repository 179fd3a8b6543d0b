package io.portcullis.benchmarks.quorum;

import io.portcullis.election.store.StoreFeatures.StoreCounters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Measures what members send while one leads and nothing else happens. */
record Traffic(List<Group> groups) implements PartResult {

  /**
   * Rates of a cluster of one size.
   *
   * @param follower the mean of all but the leader
   */
  record Group(int members, MessageRates leader, MessageRates follower) {
    private double leaderPerFollower() {
      return leader.messages() / (members - 1);
    }
  }

  private static final List<Integer> SIZES = List.of(3, 10, 50);
  private static final Duration TIME = Duration.ofSeconds(20);
  private static final Duration QUICK_TIME = Duration.ofSeconds(5);

  /**
   * Time after the first election and a lease, until the effects of the election have ended: a
   * member that started too late for it queries the others for this long before it votes.
   */
  private static final Duration SETTLING = Duration.ofSeconds(5);

  private static final int MAX_BYTES = 100;

  /** Tolerance: heartbeats have random intervals, so two rates are never exactly equal. */
  private static final double SAME = 1.25;

  static Traffic measure(QuorumEnvironment environment, boolean quick) {
    List<Group> groups = new ArrayList<>();
    for (int size : SIZES) {
      try (BenchmarkCluster cluster = environment.assemble(size)) {
        cluster.start();
        cluster.awaitAllKnow(cluster.awaitLeaderBeside(Optional.empty()));
        Pause.lasting(cluster.lease().plus(SETTLING));
        groups.add(measure(cluster, quick ? QUICK_TIME : TIME));
        System.out.println("traffic, " + size + " members: done");
      }
    }
    return new Traffic(groups);
  }

  private static Group measure(BenchmarkCluster cluster, Duration time) {
    BenchmarkMember leader = cluster.soleLeader();
    long epoch = leader.election().epoch();
    long began = System.nanoTime();
    List<Map<String, Long>> before = counts(cluster);
    Pause.lasting(time);
    List<Map<String, Long>> after = counts(cluster);
    Duration passed = Duration.ofNanos(System.nanoTime() - began);
    if (!leader.election().isLeader() || leader.election().epoch() != epoch) {
      throw new MeasurementException("The leader changed meanwhile; is the machine too busy?");
    }
    List<MessageRates> followers = new ArrayList<>();
    for (int i = 0; i < before.size(); i++) {
      followers.add(MessageRates.of(before.get(i), after.get(i), passed));
    }
    MessageRates leading = followers.remove(cluster.members().indexOf(leader));
    return new Group(before.size(), leading, MessageRates.mean(followers));
  }

  private static List<Map<String, Long>> counts(BenchmarkCluster cluster) {
    return cluster.members().stream()
        .map(member -> Objects.requireNonNull(member.store().feature(StoreCounters.class)).counts())
        .toList();
  }

  @Override
  public String table() {
    StringBuilder text = new StringBuilder();
    text.append("| per second | messages sent | received | bytes sent | received");
    text.append(" | messages for each follower | bytes per message |\n");
    text.append("|---|---|---|---|---|---|---|\n");
    for (Group group : groups) {
      String others = String.format(Locale.ROOT, "%.2f", group.leaderPerFollower());
      text.append(row(group.members() + " members: the leader", group.leader(), others));
    }
    for (Group group : groups) {
      text.append(row(group.members() + " members: a follower", group.follower(), ""));
    }
    return text.toString();
  }

  private static String row(String who, MessageRates flow, String perFollower) {
    return String.format(
        Locale.ROOT,
        "| %s | %.2f | %.2f | %.0f | %.0f | %s | %.1f |%n",
        who,
        flow.sent(),
        flow.received(),
        flow.bytesSent(),
        flow.bytesReceived(),
        perFollower,
        flow.bytesPerMessage());
  }

  @Override
  public List<TargetResult> verdicts() {
    Group fewest = groups.get(0);
    Group most = groups.get(groups.size() - 1);
    double bytes =
        groups.stream()
            .mapToDouble(
                group ->
                    Math.max(group.leader().bytesPerMessage(), group.follower().bytesPerMessage()))
            .max()
            .orElse(0);
    return List.of(
        same(
            "messages of the leader for each follower",
            fewest,
            most,
            most.leaderPerFollower() / fewest.leaderPerFollower()),
        same(
            "messages of a follower",
            fewest,
            most,
            most.follower().messages() / fewest.follower().messages()),
        new TargetResult(
            "bytes per message < " + MAX_BYTES,
            String.format(Locale.ROOT, "%.1f", bytes),
            bytes < MAX_BYTES));
  }

  private static TargetResult same(String what, Group fewest, Group most, double ratio) {
    return new TargetResult(
        String.format(
            Locale.ROOT,
            "%s: among %d <= %.2f x those among %d",
            what,
            most.members(),
            SAME,
            fewest.members()),
        String.format(Locale.ROOT, "%.2f x", ratio),
        ratio <= SAME);
  }
}
