package io.portcullis.benchmarks;

import java.util.Locale;
import java.util.Optional;

/** Maximum cost of one kind of call. */
record Target(double maxRatio, boolean allocationFree) {
  /**
   * Tolerance in bytes per call. Allocations of other threads, such as the renewal's, are spread
   * over all calls; one object per call would be at least 16 bytes.
   */
  private static final double ZERO_BYTES = 0.1;

  /** No target, for calls that are measured only for comparison. */
  static Optional<Target> of(Cost cost) {
    return switch (cost.call()) {
      case "gated" -> Optional.of(new Target(1.30, true));
      case "gatedWithoutAccounting" -> Optional.of(new Target(1.10, true));
      case "refused" -> Optional.of(new Target(5.0, false));
      default -> Optional.empty();
    };
  }

  boolean reachedBy(Cost cost) {
    return cost.ratio() <= maxRatio && (!allocationFree || cost.bytes() < ZERO_BYTES);
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "<= %.2f x%s", maxRatio, allocationFree ? ", 0 B" : "");
  }
}
