package io.portcullis.benchmarks.failover;

/** An event of a node, with its time. */
public enum Event {
  /** The clock was read. */
  CLOCK,
  /** The node participates from now on. */
  JOINING,
  /** The node has handed over; the time is just before it was asked to. */
  STEPPED_DOWN,
  /** The node may act. */
  OPEN,
  /** The node may no longer act. */
  SHUT
}
