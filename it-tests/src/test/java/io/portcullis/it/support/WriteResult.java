package io.portcullis.it.support;

/** What became of one write. */
public record WriteResult(String id, Outcome outcome, String answer) {
  /** As the client sees it. */
  public enum Outcome {
    ACCEPTED,
    REFUSED,
    /** Neither: no answer, or an error. */
    FAILED
  }

  public boolean accepted() {
    return outcome == Outcome.ACCEPTED;
  }

  public boolean refused() {
    return outcome == Outcome.REFUSED;
  }
}
