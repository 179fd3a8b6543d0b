package io.portcullis.benchmarks.failover;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The table and the overall result. */
record Report(Map<ContenderKind, FailoverMeasurements> findings) {
  private static final List<Target> TARGETS =
      List.of(
          new Target(
              ContenderKind.PORTCULLIS_REDIS, Duration.ofMillis(50), Duration.ofMillis(500), true),
          new Target(
              ContenderKind.PORTCULLIS_POSTGRES,
              Duration.ofMillis(100),
              Duration.ofSeconds(1),
              false));

  /** Target: the median handover on Redis, relative to the one of Redisson in the same run. */
  private static final double MAX_HANDOVER_RATIO = 1.2;

  /** Whether all mandatory targets were reached. */
  boolean allTargetsReached() {
    return targets().filter(Target::decides).allMatch(target -> target.isReached(of(target)))
        && (!hasRatio() || handOverRatio() <= MAX_HANDOVER_RATIO);
  }

  private boolean hasRatio() {
    return findings.containsKey(ContenderKind.PORTCULLIS_REDIS)
        && findings.containsKey(ContenderKind.REDISSON);
  }

  private double handOverRatio() {
    return seconds(medianHandOver(ContenderKind.PORTCULLIS_REDIS))
        / seconds(medianHandOver(ContenderKind.REDISSON));
  }

  private Duration medianHandOver(ContenderKind kind) {
    return findings.getOrDefault(kind, new FailoverMeasurements()).handOvers().median();
  }

  private Stream<Target> targets() {
    return TARGETS.stream().filter(target -> findings.containsKey(target.kind()));
  }

  private FailoverMeasurements of(Target target) {
    return findings.getOrDefault(target.kind(), new FailoverMeasurements());
  }

  /** Formats the report as Markdown. */
  String render() {
    StringBuilder text = new StringBuilder();
    text.append(
        "| | hand-over, median | p90 | longest | first of a pair"
            + " | crash, median | − lease | ÷ lease | longest |\n");
    text.append("|---|---|---|---|---|---|---|---|---|\n");
    findings.forEach((kind, found) -> text.append(row(kind, found)));
    text.append('\n');
    text.append("| target | measured | reached |\n|---|---|---|\n");
    targets().forEach(target -> text.append(target.rows(of(target))));
    if (hasRatio()) {
      double ratio = handOverRatio();
      text.append(
          String.format(
              Locale.ROOT,
              "| Portcullis, Redis: hand-over, median <= %.1f x Redisson's | %.2f x | %s |%n",
              MAX_HANDOVER_RATIO,
              ratio,
              ratio <= MAX_HANDOVER_RATIO ? "yes" : "NO"));
    }
    return text.toString();
  }

  private static String row(ContenderKind kind, FailoverMeasurements found) {
    Duration crash = found.crashes().median();
    return String.format(
        Locale.ROOT,
        "| %s | %s | %s | %s | %s | %s | %+.2f s | %.2f | %s |%n",
        kind.label(),
        millis(found.handOvers().median()),
        millis(found.handOvers().quantile(0.9)),
        millis(found.handOvers().longest()),
        millis(found.firstHandOvers().median()),
        secondsText(crash),
        seconds(crash.minus(FailoverTiming.LEASE)),
        seconds(crash) / seconds(FailoverTiming.LEASE),
        secondsText(found.crashes().longest()));
  }

  static String millis(Duration time) {
    return String.format(Locale.ROOT, "%.1f ms", seconds(time) * 1000);
  }

  static String secondsText(Duration time) {
    return String.format(Locale.ROOT, "%.2f s", seconds(time));
  }

  static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }
}
