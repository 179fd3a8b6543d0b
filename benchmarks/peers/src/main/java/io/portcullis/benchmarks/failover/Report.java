package io.portcullis.benchmarks.failover;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/** The table and the verdict. */
record Report(Map<Kind, Findings> findings) {
  private static final Duration HAND_OVER_TARGET = Duration.ofMillis(50);
  private static final Duration CRASH_TARGET = Pace.LEASE.plusMillis(500);

  boolean allTargetsReached() {
    return handOverReached() && crashReached();
  }

  private boolean handOverReached() {
    return own().handOvers().median().compareTo(HAND_OVER_TARGET) <= 0;
  }

  private boolean crashReached() {
    return own().crashes().longest().compareTo(CRASH_TARGET) <= 0;
  }

  private Findings own() {
    return findings.getOrDefault(Kind.PORTCULLIS, new Findings());
  }

  /** In Markdown, so that it can be pasted as it is. */
  String render() {
    StringBuilder text = new StringBuilder();
    text.append(
        "| | hand-over, median | p90 | longest | first of a pair"
            + " | crash, median | − lease | ÷ lease | longest |\n");
    text.append("|---|---|---|---|---|---|---|---|---|\n");
    findings.forEach((kind, found) -> text.append(row(kind, found)));
    text.append('\n');
    text.append("| target for Portcullis | measured | reached |\n|---|---|---|\n");
    text.append(
        String.format(
            Locale.ROOT,
            "| hand-over, median <= %d ms | %s | %s |%n",
            HAND_OVER_TARGET.toMillis(),
            millis(own().handOvers().median()),
            handOverReached() ? "yes" : "NO"));
    text.append(
        String.format(
            Locale.ROOT,
            "| crash, longest <= lease + %.1f s | %s | %s |%n",
            seconds(CRASH_TARGET.minus(Pace.LEASE)),
            secondsText(own().crashes().longest()),
            crashReached() ? "yes" : "NO"));
    return text.toString();
  }

  private static String row(Kind kind, Findings found) {
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
        seconds(crash.minus(Pace.LEASE)),
        seconds(crash) / seconds(Pace.LEASE),
        secondsText(found.crashes().longest()));
  }

  static String millis(Duration time) {
    return String.format(Locale.ROOT, "%.1f ms", seconds(time) * 1000);
  }

  static String secondsText(Duration time) {
    return String.format(Locale.ROOT, "%.2f s", seconds(time));
  }

  private static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }
}
