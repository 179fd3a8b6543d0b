package io.portcullis.benchmarks.quorum;

/**
 * A target held against what was measured.
 *
 * @param target what was to be reached
 * @param measured what was
 */
record TargetResult(String target, String measured, boolean reached) {

  /** In a Markdown table. */
  String row() {
    return "| " + target + " | " + measured + " | " + (reached ? "yes" : "NO") + " |\n";
  }
}
