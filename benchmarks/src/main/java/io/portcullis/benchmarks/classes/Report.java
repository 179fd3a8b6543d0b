package io.portcullis.benchmarks.classes;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Cost of loading the classes, by setting. */
record Report(Map<LoadingSetting, List<LoadingTimes>> loadings) {
  private static final double MICRO = 1000;

  /** Below this value the measurement shows only the resolution of the clock. */
  private static final double MIN_MICROS = 0.1;

  boolean allTargetsReached() {
    return loadings.keySet().stream().allMatch(this::isReached);
  }

  /** Formats the report as Markdown. */
  String render() {
    StringBuilder table = new StringBuilder();
    table.append(
        "| classes | rules | like | in the weaver | loading in all | target | reached |\n");
    table.append("|---|---|---|---|---|---|---|\n");
    loadings.forEach(
        (setting, seen) ->
            table.append(
                String.format(
                    Locale.ROOT,
                    "| %s | %d | `%s` | %s | %.0f µs | <= %.0f µs | %s |%n",
                    setting.parents() ? "with parents" : "without",
                    setting.rules(),
                    setting.kind().text(),
                    weaver(weaverMicros(setting)),
                    median(seen, LoadingTimes::nanos) / MICRO,
                    setting.kind().targetMicros,
                    isReached(setting) ? "yes" : "NO")));
    return table.toString();
  }

  private static String weaver(double micros) {
    return micros < MIN_MICROS
        ? String.format(Locale.ROOT, "< %.1f µs", MIN_MICROS)
        : String.format(Locale.ROOT, "%.1f µs", micros);
  }

  private boolean isReached(LoadingSetting setting) {
    return weaverMicros(setting) <= setting.kind().targetMicros;
  }

  private double weaverMicros(LoadingSetting setting) {
    return median(loadings.getOrDefault(setting, List.of()), LoadingTimes::weaverNanos) / MICRO;
  }

  private static double median(List<LoadingTimes> seen, ToDoubleFunction<LoadingTimes> figure) {
    double[] sorted = seen.stream().mapToDouble(figure).sorted().toArray();
    return sorted.length == 0 ? Double.NaN : sorted[(sorted.length - 1) / 2];
  }
}
