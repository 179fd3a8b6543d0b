package io.portcullis.benchmarks.failover;

/** What a node tells, each with a moment of its clock. */
public enum Event {
  /** What the clock shows. */
  CLOCK,
  /** It takes part from now on. */
  JOINING,
  /** It has handed over; the moment is the one just before it was asked to. */
  STEPPED_DOWN,
  /** It may act. */
  OPEN,
  /** It may no longer act. */
  SHUT
}
