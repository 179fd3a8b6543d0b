package io.portcullis.benchmarks;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The costs of all kinds of calls, compared with their targets. */
final class CostTable {
  private final List<Cost> costs;

  CostTable(List<Sample> samples) {
    costs =
        samples.stream()
            .filter(sample -> sample.round() == 0)
            .map(sample -> Cost.of(sample.threads(), sample.call(), samples))
            .sorted(Comparator.comparingInt(Cost::threads).thenComparingDouble(Cost::ratio))
            .toList();
  }

  boolean allTargetsReached() {
    return costs.stream()
        .allMatch(cost -> Target.of(cost).map(target -> target.reachedBy(cost)).orElse(true));
  }

  /** Formats the table as Markdown. */
  String render() {
    StringBuilder table = new StringBuilder();
    table.append("| threads | call | ns/op | ratio | B/op | target | reached |\n");
    table.append("|---|---|---|---|---|---|---|\n");
    for (Cost cost : costs) {
      table.append(
          String.format(
              Locale.ROOT,
              "| %d | %s | %.1f | %.2f | %.3f | %s |%n",
              cost.threads(),
              cost.call(),
              cost.nanos(),
              cost.ratio(),
              cost.bytes(),
              verdict(cost)));
    }
    return table.toString();
  }

  private static String verdict(Cost cost) {
    return Target.of(cost)
        .map(target -> target + " | " + (target.reachedBy(cost) ? "yes" : "NO"))
        .orElse("|");
  }
}
