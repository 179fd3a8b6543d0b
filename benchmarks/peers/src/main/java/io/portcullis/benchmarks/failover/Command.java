package io.portcullis.benchmarks.failover;

/** What a node is told to do. */
public enum Command {
  /** Tell what the clock shows. */
  CLOCK,
  /** Take part. */
  JOIN,
  /** Hand over. */
  STEP_DOWN
}
