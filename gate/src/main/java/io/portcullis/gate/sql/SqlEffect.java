package io.portcullis.gate.sql;

/** What the statements of one text, together, may do. */
public enum SqlEffect {
  /** They read, or concern the session alone. */
  READ(FenceRequirement.NOTHING, false),
  /** The session's prepared statements are given up, or one of them. */
  DEALLOCATE(FenceRequirement.NOTHING, false),
  /** They read, as far as the text tells; a function may write. */
  MAY_WRITE(FenceRequirement.READ_ONLY_IF_STALE, false),
  /** They write, or can't be told from those that do. */
  WRITE(FenceRequirement.REFUSED_IF_STALE, false),
  /** A transaction begins, and nothing in it yet needs the fence. */
  BEGIN(FenceRequirement.NOTHING, false),
  /** A transaction or a part of one ends, before or after what only reads. */
  END(FenceRequirement.NOTHING, true),
  /** As {@link #END}, and {@link #DEALLOCATE}. */
  DISCARD(FenceRequirement.NOTHING, true),
  /** As {@link #MAY_WRITE}, and then as {@link #END}. */
  MAY_WRITE_THEN_END(FenceRequirement.READ_ONLY_IF_STALE, true),
  /** As {@link #WRITE}, and then as {@link #END}. */
  WRITE_THEN_END(FenceRequirement.REFUSED_IF_STALE, true),
  /** It commits within, or can't run in a transaction: the fence is to be held around it. */
  OUTSIDE_TRANSACTION(FenceRequirement.REFUSED_IF_STALE, true),
  /** A transaction is handed to whoever finishes it, out of the fence's sight. */
  TWO_PHASE(FenceRequirement.REFUSED_IF_STALE, true),
  /** Something that may write follows the end or the beginning of a transaction in one text. */
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

  /** Whether the transaction that it began in may be over afterwards. */
  public boolean ends() {
    return ends;
  }

  /** Whether there is no way to fence it. */
  public boolean isRefused() {
    return this == TWO_PHASE || this == MIXED;
  }
}
