package io.portcullis.benchmarks.classes;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** What loading the classes cost, by setting. */
record Report(Map<Setting, List<Loading>> loadings) {
  private static final double MICRO = 1000;

  /** Below this, what is seen is the clock. */
  private static final double LEAST_MICROS = 0.1;

  boolean allTargetsReached() {
    return loadings.keySet().stream().allMatch(this::isReached);
  }

  /** In Markdown, so that it can be pasted as it is. */
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
                    median(seen, Loading::nanos) / MICRO,
                    setting.kind().targetMicros,
                    isReached(setting) ? "yes" : "NO")));
    return table.toString();
  }

  private static String weaver(double micros) {
    return micros < LEAST_MICROS
        ? String.format(Locale.ROOT, "< %.1f µs", LEAST_MICROS)
        : String.format(Locale.ROOT, "%.1f µs", micros);
  }

  private boolean isReached(Setting setting) {
    return weaverMicros(setting) <= setting.kind().targetMicros;
  }

  private double weaverMicros(Setting setting) {
    return median(loadings.getOrDefault(setting, List.of()), Loading::weaverNanos) / MICRO;
  }

  private static double median(List<Loading> seen, ToDoubleFunction<Loading> figure) {
    double[] sorted = seen.stream().mapToDouble(figure).sorted().toArray();
    return sorted.length == 0 ? Double.NaN : sorted[(sorted.length - 1) / 2];
  }
}
