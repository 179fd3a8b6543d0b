package io.portcullis.gate;

/**
 * Thrown when a call ran to its end, but this node no longer leads under the epoch under which the
 * call entered. The work of the call may or may not have happened: its writes may have come too
 * late, and another node may have acted since. So it must not be reported as done.
 *
 * <p>In contrast, a {@link NotLeaderException} guarantees that nothing was done here. Thrown only
 * by rules with {@code recheck = true}.
 */
public final class LeadershipLostException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String election;
  private final String rule;
  private final long epoch;

  LeadershipLostException(String election, String rule, long epoch) {
    super(
        "Leadership of election '%s' was lost while a call was running that rule '%s' had let in"
                .formatted(election, rule)
            + " under epoch %d; its work may or may not have happened. Check before you repeat it."
                .formatted(epoch));
    this.election = election;
    this.rule = rule;
    this.epoch = epoch;
  }

  /** The election that this node led when the call entered. */
  public String election() {
    return election;
  }

  /** The id of the rule that rechecked. */
  public String rule() {
    return rule;
  }

  /** The epoch under which the call entered. */
  public long epoch() {
    return epoch;
  }
}
