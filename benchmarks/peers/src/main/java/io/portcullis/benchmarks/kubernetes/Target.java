package io.portcullis.benchmarks.kubernetes;

/** A target, its measurement, and whether it was reached. */
record Target(String what, String measured, boolean reached) {
  String row() {
    return "| " + what + " | " + measured + " | " + (reached ? "yes" : "NO") + " |\n";
  }
}
