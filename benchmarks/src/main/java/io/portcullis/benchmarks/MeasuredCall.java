package io.portcullis.benchmarks;

/**
 * The body of every measured method: almost empty, so that the cost of the check before it
 * dominates.
 */
final class MeasuredCall {
  private MeasuredCall() {}

  static long save(long order) {
    return order * 31 + 7;
  }
}
