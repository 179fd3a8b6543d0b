package io.portcullis.gate;

/** What happens to a call that finds the gate shut. An action of a rule is one implementation. */
public interface Refusal {

  /** What becomes of a refused call, if it does not end with an exception. */
  enum Verdict {
    /** The body is skipped. */
    SKIP,
    /** The body runs although the gate is shut. Only to observe what a rule would do. */
    RUN,
    /**
     * The gate is asked again, by the same strict rules: for a refusal that has waited and seen the
     * gate open since.
     */
    ASK_AGAIN
  }

  /**
   * Deals with a call that was refused; throwing is an answer too. It runs on the application's
   * thread, and the call does not count as in flight meanwhile.
   *
   * @param sinceNanos when the call was first refused, by {@link System#nanoTime()}: a refusal that
   *     lets the gate be asked again is called again, for the same call, if it is still shut
   */
  Verdict refuse(Checkpoint checkpoint, long sinceNanos);

  /**
   * What a skipped call returns, for methods woven to ask for it; throwing is an answer too. It
   * runs on the application's thread, after {@link #refuse} has said {@link Verdict#SKIP}.
   *
   * @param method the method, as the weaver wrote it into the class
   */
  default @Nullable Object answer(Checkpoint checkpoint, String method) {
    throw checkpoint.notLeader(false);
  }
}
