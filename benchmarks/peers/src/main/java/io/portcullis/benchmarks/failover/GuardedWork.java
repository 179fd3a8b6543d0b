package io.portcullis.benchmarks.failover;

/** The work that the agent's rule gates. */
public final class GuardedWork {
  private long acts;

  void act() {
    acts++;
  }

  long acts() {
    return acts;
  }
}
