package io.portcullis.benchmarks.quorum;

/**
 * A target and its measurement.
 *
 * @param target the required value
 * @param measured the measured value
 */
record TargetResult(String target, String measured, boolean reached) {

  /** Formats a row of a Markdown table. */
  String row() {
    return "| " + target + " | " + measured + " | " + (reached ? "yes" : "NO") + " |\n";
  }
}
