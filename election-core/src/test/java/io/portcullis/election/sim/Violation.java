package io.portcullis.election.sim;

/** An invariant did not hold. */
final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Violation(String what) {
    super(what);
  }
}
