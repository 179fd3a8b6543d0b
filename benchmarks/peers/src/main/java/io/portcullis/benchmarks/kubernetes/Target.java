package io.portcullis.benchmarks.kubernetes;

/** One thing to reach, what was measured of it, and whether that will do. */
record Target(String what, String measured, boolean reached) {
  String row() {
    return "| " + what + " | " + measured + " | " + (reached ? "yes" : "NO") + " |\n";
  }
}
