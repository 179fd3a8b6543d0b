package io.portcullis.benchmarks.quorum;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What members send while one leads and nothing happens. */
record Traffic(List<Group> groups) implements Findings {

  /**
   * Members by their number.
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
   * After the first election and a lease, until nothing is left of it: a member that came too late
   * for it asks the others for so long before it votes.
   */
  private static final Duration SETTLING = Duration.ofSeconds(5);

  private static final int MAX_BYTES = 200;

  /** Heartbeats come at random pauses, so two rates are never quite the same. */
  private static final double SAME = 1.25;

  static Traffic measure(QuorumEnvironment lab, boolean quick) {
    List<Group> groups = new ArrayList<>();
    for (int size : SIZES) {
      try (BenchmarkCluster assembly = lab.assemble(size)) {
        assembly.start();
        assembly.awaitAllKnow(assembly.awaitLeaderBeside(Optional.empty()));
        Pause.lasting(assembly.lease().plus(SETTLING));
        groups.add(measure(assembly, quick ? QUICK_TIME : TIME));
        System.out.println("traffic, " + size + " members: done");
      }
    }
    return new Traffic(groups);
  }

  private static Group measure(BenchmarkCluster assembly, Duration time) {
    BenchmarkMember leader = assembly.soleLeader();
    long epoch = leader.election().epoch();
    long began = System.nanoTime();
    List<Map<String, Long>> before = counts(assembly);
    Pause.lasting(time);
    List<Map<String, Long>> after = counts(assembly);
    Duration passed = Duration.ofNanos(System.nanoTime() - began);
    if (!leader.election().isLeader() || leader.election().epoch() != epoch) {
      throw new MeasurementException("The leader changed meanwhile; is the machine too busy?");
    }
    List<MessageRates> followers = new ArrayList<>();
    for (int i = 0; i < before.size(); i++) {
      followers.add(MessageRates.of(before.get(i), after.get(i), passed));
    }
    MessageRates leading = followers.remove(assembly.members().indexOf(leader));
    return new Group(before.size(), leading, MessageRates.mean(followers));
  }

  private static List<Map<String, Long>> counts(BenchmarkCluster assembly) {
    return assembly.members().stream().map(member -> member.store().counts()).toList();
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
