package io.portcullis.benchmarks.classes;

/**
 * What one JVM saw, in time of the thread that loads.
 *
 * @param weaverNanos for each class inside the weaver, on average, from the first one on
 * @param nanos for each class in all
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
