package io.portcullis.election.simulation;

/** An invariant did not hold. */
public final class InvariantViolationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Says in words what went wrong. */
  public InvariantViolationException(String what) {
    super(what);
  }
}
