package io.portcullis.benchmarks.startup;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/** The tables of one JDK. */
record Report(Map<AttachedAgent, List<StartMeasurement>> starts) {
  /** Targets: the maximum overhead of Portcullis as a fraction of OpenTelemetry's. */
  private static final double REDIS_TIME_TARGET = 0.12;

  private static final double REDIS_MEMORY_TARGET = 0.45;
  private static final double QUORUM_TIME_TARGET = 0.10;
  private static final double QUORUM_MEMORY_TARGET = 0.20;

  private static final double NANOS = 1e9;
  private static final double KIB_PER_MIB = 1024;

  /** Formats the report as Markdown. */
  String render() {
    StringBuilder text = new StringBuilder();
    text.append(
        "| | until Started, median | least – most | Spring's own figure | processor time"
            + " | peak memory, median | least – most |\n");
    text.append("|---|---|---|---|---|---|---|\n");
    for (AttachedAgent agent : AttachedAgent.values()) {
      text.append(row(agent));
    }
    text.append(ratios(AttachedAgent.PORTCULLIS_REDIS, REDIS_TIME_TARGET, REDIS_MEMORY_TARGET));
    text.append(ratios(AttachedAgent.PORTCULLIS_QUORUM, QUORUM_TIME_TARGET, QUORUM_MEMORY_TARGET));
    return text.toString();
  }

  private String ratios(AttachedAgent agent, double time, double memory) {
    return "\n| added by %s | Portcullis | OpenTelemetry | ratio | target | reached |\n"
            .formatted(agent.label())
        + "|---|---|---|---|---|---|\n"
        + ratio(agent, "time until Started", "%.2f s", Report::wall, time)
        + ratio(agent, "peak memory", "%.1f MiB", Report::peak, memory)
        + ratio(agent, "processor time until Started", "%.2f s", Report::processor, Double.NaN);
  }

  private String row(AttachedAgent agent) {
    SortedSamples wall = spread(agent, Report::wall);
    SortedSamples peak = spread(agent, Report::peak);
    return String.format(
        Locale.ROOT,
        "| %s | %.2f s | %.2f – %.2f | %.2f s | %.2f s | %.1f MiB | %.1f – %.1f |%n",
        agent.label(),
        wall.median(),
        wall.least(),
        wall.most(),
        spread(agent, Report::own).median(),
        spread(agent, Report::processor).median(),
        peak.median(),
        peak.least(),
        peak.most());
  }

  private String ratio(
      AttachedAgent agent,
      String what,
      String format,
      ToDoubleFunction<StartMeasurement> figure,
      double most) {
    double ours = added(agent, figure);
    double theirs = added(AttachedAgent.OPENTELEMETRY, figure);
    double ratio = ours / theirs;
    boolean hasTarget = !Double.isNaN(most);
    return String.format(
        Locale.ROOT,
        "| %s | " + format + " | " + format + " | %.2f | %s | %s |%n",
        what,
        ours,
        theirs,
        ratio,
        hasTarget ? String.format(Locale.ROOT, "<= %.2f", most) : "",
        hasTarget ? isReached(ours, theirs, most) ? "yes" : "NO" : "");
  }

  /** Compares a product, since a ratio is undefined if the other agent adds nothing. */
  private static boolean isReached(double ours, double theirs, double most) {
    return ours <= most * theirs;
  }

  private double added(AttachedAgent agent, ToDoubleFunction<StartMeasurement> figure) {
    return spread(agent, figure).median() - spread(AttachedAgent.NONE, figure).median();
  }

  private SortedSamples spread(AttachedAgent agent, ToDoubleFunction<StartMeasurement> figure) {
    return SortedSamples.of(Objects.requireNonNull(starts.get(agent)), figure);
  }

  private static double wall(StartMeasurement start) {
    return start.wall().toNanos() / NANOS;
  }

  private static double own(StartMeasurement start) {
    return start.own().toNanos() / NANOS;
  }

  private static double processor(StartMeasurement start) {
    return start.processor().toNanos() / NANOS;
  }

  private static double peak(StartMeasurement start) {
    return start.peakKib() / KIB_PER_MIB;
  }
}
