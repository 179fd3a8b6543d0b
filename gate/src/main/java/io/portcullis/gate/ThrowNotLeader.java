package io.portcullis.gate;

/** Refuses calls with a {@link NotLeaderException}. */
public enum ThrowNotLeader implements Refusal {
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
