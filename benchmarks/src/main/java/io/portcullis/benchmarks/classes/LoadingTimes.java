package io.portcullis.benchmarks.classes;

/**
 * Times measured by one JVM, as processor time of the loading thread.
 *
 * @param weaverNanos average time inside the weaver per class, from the first one on
 * @param nanos average total time per class
 */
record LoadingTimes(double weaverNanos, double nanos) {
  static LoadingTimes parse(String line) {
    String[] words = line.strip().split(" ", -1);
    return new LoadingTimes(Double.parseDouble(words[0]), Double.parseDouble(words[1]));
  }

  @Override
  public String toString() {
    return weaverNanos + " " + nanos;
  }
}
