package io.portcullis.benchmarks.failover;

/** A command to a node. */
public enum Command {
  /** Report the clock. */
  CLOCK,
  /** Join the election. */
  JOIN,
  /** Hand over. */
  STEP_DOWN
}
