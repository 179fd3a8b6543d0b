package io.portcullis.it.support;

/** The outcome of one write. */
public record WriteResult(String id, Outcome outcome, String answer) {
  /** The outcome from the client's point of view. */
  public enum Outcome {
    ACCEPTED,
    REFUSED,
    /** Neither: no response, or an error. */
    FAILED
  }

  public boolean accepted() {
    return outcome == Outcome.ACCEPTED;
  }

  public boolean refused() {
    return outcome == Outcome.REFUSED;
  }
}
