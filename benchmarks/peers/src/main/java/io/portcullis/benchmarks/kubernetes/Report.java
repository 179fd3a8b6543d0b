package io.portcullis.benchmarks.kubernetes;

import io.portcullis.servers.kubernetes.Verb;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The tables and the overall result.
 *
 * @param window in which requests were counted
 */
record Report(Map<Elector, ElectorMeasurements> measurements, Duration window) {
  private static final Duration HAND_OVER = Duration.ofMillis(100);
  private static final Duration BEYOND_LEASE = Duration.ofMillis(500);

  boolean allTargetsReached() {
    return targets().stream().allMatch(Target::reached);
  }

  /** Formats the report as Markdown. */
  String render() {
    StringBuilder text = new StringBuilder();
    text.append(
        "| | hand-over, median | p90 | longest | crash, after the kill, median | longest"
            + " | after the last renewal, median | shortest | longest |\n");
    text.append("|---|---|---|---|---|---|---|---|---|\n");
    measurements.forEach((elector, found) -> text.append(times(elector, found)));
    text.append("\n| requests per minute | get | update | patch | watch | other | all, mean");
    text.append(" | highest |\n|---|---|---|---|---|---|---|---|\n");
    measurements.forEach(
        (elector, found) ->
            text.append(flows(elector.label() + ": a leader", found.leaders()))
                .append(flows(elector.label() + ": a standby", found.standbys())));
    text.append(clientGo());
    text.append("\n| target | measured | reached |\n|---|---|---|\n");
    targets().forEach(target -> text.append(target.row()));
    return text.toString();
  }

  private static String times(Elector elector, ElectorMeasurements found) {
    return row(
        elector.label(),
        millis(found.handOvers().median()),
        millis(found.handOvers().quantile(0.9)),
        millis(found.handOvers().longest()),
        seconds(found.sinceKill().median()),
        seconds(found.sinceKill().longest()),
        seconds(found.sinceRenewal().median()),
        seconds(found.sinceRenewal().shortest()),
        seconds(found.sinceRenewal().longest()));
  }

  private static String flows(String whose, List<RequestRates> flows) {
    RequestRates mean = RequestRates.mean(flows);
    double named =
        mean.of(Verb.GET) + mean.of(Verb.UPDATE) + mean.of(Verb.PATCH) + mean.of(Verb.WATCH);
    return row(
        whose,
        rate(mean.of(Verb.GET)),
        rate(mean.of(Verb.UPDATE)),
        rate(mean.of(Verb.PATCH)),
        rate(mean.of(Verb.WATCH)),
        rate(Math.max(0, mean.all() - named)),
        rate(mean.all()),
        rate(highest(flows)));
  }

  /** Calculated, not measured. */
  private static String clientGo() {
    String leader = rate(ClientGoTiming.LEADER_PER_MINUTE);
    String standby = rate(ClientGoTiming.STANDBY_PER_MINUTE);
    String none = rate(0);
    return row("client-go, reckoned: a leader", none, leader, none, none, none, leader, "")
        + row("client-go, reckoned: a standby", standby, none, none, none, none, standby, "");
  }

  private static double highest(List<RequestRates> flows) {
    return flows.stream().mapToDouble(RequestRates::all).max().orElse(Double.NaN);
  }

  private List<Target> targets() {
    ElectorMeasurements ours =
        measurements.getOrDefault(Elector.PORTCULLIS, new ElectorMeasurements());
    Duration median = ours.handOvers().median();
    Duration p90 = ours.handOvers().quantile(0.9);
    Duration shortest = ours.sinceRenewal().shortest();
    Duration longest = ours.sinceRenewal().longest();
    double leader = highest(ours.leaders());
    double standby = highest(ours.standbys());
    return List.of(
        new Target("hand-over, median <= 100 ms", millis(median), median.compareTo(HAND_OVER) <= 0),
        new Target("hand-over, p90 <= 100 ms", millis(p90), p90.compareTo(HAND_OVER) <= 0),
        new Target(
            "crash, longest after the last renewal <= lease + 0.5 s",
            seconds(longest),
            longest.compareTo(ClientGoTiming.LEASE.plus(BEYOND_LEASE)) <= 0),
        new Target(
            "crash, shortest after the last renewal >= lease",
            seconds(shortest),
            shortest.compareTo(ClientGoTiming.LEASE) >= 0),
        new Target(
            "requests per minute of a leader, highest <= " + rate(mostOfALeader()),
            rate(leader),
            leader <= mostOfALeader()),
        new Target(
            "requests per minute of a standby, highest <= "
                + rate(ClientGoTiming.STANDBY_PER_MINUTE),
            rate(standby),
            standby <= ClientGoTiming.STANDBY_PER_MINUTE));
  }

  /** A window of n retries contains n + 1 renewals if it begins just before one. */
  private double mostOfALeader() {
    return ClientGoTiming.LEADER_PER_MINUTE + 60e9 / window.toNanos();
  }

  private static String row(String... cells) {
    return "| " + String.join(" | ", cells) + " |\n";
  }

  static String millis(Duration time) {
    return String.format(Locale.ROOT, "%.1f ms", time.toNanos() / 1e6);
  }

  static String seconds(Duration time) {
    return String.format(Locale.ROOT, "%.2f s", time.toNanos() / 1e9);
  }

  private static String rate(double perMinute) {
    return String.format(Locale.ROOT, "%.2f", perMinute);
  }
}
