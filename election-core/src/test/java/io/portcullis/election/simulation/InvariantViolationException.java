package io.portcullis.election.simulation;

/** Thrown when an invariant is violated. */
public final class InvariantViolationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception with a description of the violation. */
  public InvariantViolationException(String what) {
    super(what);
  }
}
