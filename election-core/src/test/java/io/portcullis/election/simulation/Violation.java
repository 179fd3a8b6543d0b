package io.portcullis.election.simulation;

/** An invariant did not hold. */
public final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Says in words what went wrong. */
  public Violation(String what) {
    super(what);
  }
}
