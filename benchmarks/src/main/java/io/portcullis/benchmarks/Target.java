package io.portcullis.benchmarks;

import java.util.Locale;
import java.util.Optional;

/** What a kind of call may cost at most. */
record Target(double maxRatio, boolean allocationFree) {
  /**
   * Allocations of other threads, such as the renewal's, are spread over all calls. One object per
   * call would be 16 bytes at least.
   */
  private static final double ZERO_BYTES = 0.1;

  /** None for calls that are measured only to compare with. */
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
