package io.portcullis.benchmarks.fencing;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * Compares the rate of an operation with and without a fence. Two JVMs with the same work differ by
 * themselves, so several pairs are compared.
 */
final class FenceComparison {
  static final String HEAD =
      "| | without, a second | with, a second | ratio | of each pair | target | reached |\n"
          + "|---|---|---|---|---|---|---|";
  static final Duration TURN = Duration.ofSeconds(2);
  static final int ROUNDS = 3;
  static final double NO_TARGET = 0;

  private static final Duration WARM_UP = Duration.ofSeconds(6);

  private final String what;
  private final double target;
  private final List<Double> without = new ArrayList<>();
  private final List<Double> with = new ArrayList<>();
  private final List<Double> ratios = new ArrayList<>();

  FenceComparison(String what, double target) {
    this.what = what;
    this.target = target;
  }

  /** Returns the operations per second. */
  interface Rate {
    double during(Duration turn) throws IOException;
  }

  /** Compares one pair, alternating: its ratio is the median of the ratios of all rounds. */
  void compare(Rate plain, Rate fenced) throws IOException {
    plain.during(WARM_UP);
    fenced.during(WARM_UP);
    List<Double> ofRounds = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      boolean plainFirst = i % 2 == 0;
      double first = (plainFirst ? plain : fenced).during(TURN);
      double second = (plainFirst ? fenced : plain).during(TURN);
      without.add(plainFirst ? first : second);
      with.add(plainFirst ? second : first);
      ofRounds.add(plainFirst ? second / first : first / second);
    }
    ratios.add(median(ofRounds));
  }

  /** Returns the median of the pairs. */
  private double ratio() {
    return median(ratios);
  }

  boolean isReached() {
    return ratio() >= target;
  }

  /** Formats a row of the table. */
  String row() {
    boolean hasTarget = target != NO_TARGET;
    return String.format(
        Locale.ROOT,
        "| %s | %.0f | %.0f | %.3f | %.3f to %.3f | %s | %s |",
        what,
        median(without),
        median(with),
        ratio(),
        Collections.min(ratios),
        Collections.max(ratios),
        hasTarget ? String.format(Locale.ROOT, ">= %.2f", target) : "",
        hasTarget ? isReached() ? "yes" : "NO" : "");
  }

  private static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    return sorted.get(sorted.size() / 2);
  }
}
