package io.portcullis.benchmarks.failover;

/** The method that the agent's rule names. */
public final class GuardedWork {
  private long acts;

  void act() {
    acts++;
  }

  long acts() {
    return acts;
  }
}
