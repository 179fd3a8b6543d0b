package io.portcullis.gate;

/** Handles calls that find the gate shut. Each action of a rule is one implementation. */
public interface Refusal {

  /** What happens to a refused call, unless an exception was thrown. */
  enum Verdict {
    /** The body is skipped. */
    SKIP,
    /** The body runs although the gate is shut. Only for observing what a rule would do. */
    RUN,
    /**
     * The gate is checked again, by the same strict rules: for a refusal that has waited and seen
     * the gate open since.
     */
    ASK_AGAIN
  }

  /**
   * Handles a refused call; may throw. Runs on the application's thread, and the call does not
   * count as in flight meanwhile.
   *
   * @param sinceNanos when the call was first refused, by {@link System#nanoTime()}: after {@link
   *     Verdict#ASK_AGAIN} the refusal is called again for the same call if the gate is still shut
   */
  Verdict refuse(Checkpoint checkpoint, long sinceNanos);

  /**
   * The result of a skipped call, for methods woven to request it; may throw. Runs on the
   * application's thread, after {@link #refuse} has returned {@link Verdict#SKIP}.
   *
   * @param method the method, as the weaver wrote it into the class
   */
  default @Nullable Object answer(Checkpoint checkpoint, String method) {
    throw checkpoint.notLeader(false);
  }

  /** Refuses calls with a {@link NotLeaderException}. */
  enum ThrowNotLeader implements Refusal {
    WITHOUT_STACK_TRACE(false),
    WITH_STACK_TRACE(true);

    private final boolean stackTrace;

    ThrowNotLeader(boolean stackTrace) {
      this.stackTrace = stackTrace;
    }

    @Override
    public Verdict refuse(Checkpoint checkpoint, long sinceNanos) {
      throw checkpoint.notLeader(stackTrace);
    }
  }
}
