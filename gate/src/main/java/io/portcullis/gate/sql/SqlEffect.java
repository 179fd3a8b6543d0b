package io.portcullis.gate.sql;

/** What the statements of one SQL string may do together. */
public enum SqlEffect {
  /** They read, or affect only the session. */
  READ(FenceRequirement.NOTHING, false),
  /** One or all of the session's prepared statements are deallocated. */
  DEALLOCATE(FenceRequirement.NOTHING, false),
  /** They only read as far as the SQL shows, but a function may write. */
  MAY_WRITE(FenceRequirement.READ_ONLY_IF_STALE, false),
  /** They write, or can't be distinguished from those that do. */
  WRITE(FenceRequirement.REFUSED_IF_STALE, false),
  /** A transaction begins, and nothing in it needs the fence yet. */
  BEGIN(FenceRequirement.NOTHING, false),
  /** A transaction or a part of one ends, before or after statements that only read. */
  END(FenceRequirement.NOTHING, true),
  /** Like {@link #END} and {@link #DEALLOCATE} together. */
  DISCARD(FenceRequirement.NOTHING, true),
  /** Like {@link #MAY_WRITE}, followed by {@link #END}. */
  MAY_WRITE_THEN_END(FenceRequirement.READ_ONLY_IF_STALE, true),
  /** Like {@link #WRITE}, followed by {@link #END}. */
  WRITE_THEN_END(FenceRequirement.REFUSED_IF_STALE, true),
  /** It commits inside, or can't run in a transaction: the fence must be held around it. */
  OUTSIDE_TRANSACTION(FenceRequirement.REFUSED_IF_STALE, true),
  /** A transaction is prepared, and may be finished on a connection that the fence does not see. */
  TWO_PHASE(FenceRequirement.REFUSED_IF_STALE, true),
  /**
   * A statement that may write follows the end or the beginning of a transaction in one SQL string.
   */
  MIXED(FenceRequirement.REFUSED_IF_STALE, true);

  /** What the fence has to do before. */
  public enum FenceRequirement {
    NOTHING,
    READ_ONLY_IF_STALE,
    REFUSED_IF_STALE
  }

  private final FenceRequirement need;
  private final boolean ends;

  SqlEffect(FenceRequirement need, boolean ends) {
    this.need = need;
    this.ends = ends;
  }

  /** What the fence has to do before. */
  public FenceRequirement need() {
    return need;
  }

  /** Whether the transaction in which it started may be over afterwards. */
  public boolean ends() {
    return ends;
  }

  /** Whether it can't be fenced. */
  public boolean isRefused() {
    return this == TWO_PHASE || this == MIXED;
  }
}
