package io.portcullis.gate.sql;

/** What the statements of one text, together, may do. */
public enum SqlEffect {
  /** They read, or concern the session alone. */
  READ(Need.NOTHING, false),
  /** The session's prepared statements are given up, or one of them. */
  DEALLOCATE(Need.NOTHING, false),
  /** They read, as far as the text tells; a function may write. */
  MAYBE(Need.READ_ONLY_IF_STALE, false),
  /** They write, or can't be told from those that do. */
  WRITE(Need.REFUSED_IF_STALE, false),
  /** A transaction begins, and nothing in it yet needs the fence. */
  BEGIN(Need.NOTHING, false),
  /** A transaction or a part of one ends, before or after what only reads. */
  END(Need.NOTHING, true),
  /** As {@link #END}, and {@link #DEALLOCATE}. */
  DISCARD(Need.NOTHING, true),
  /** As {@link #MAYBE}, and then as {@link #END}. */
  MAYBE_THEN_END(Need.READ_ONLY_IF_STALE, true),
  /** As {@link #WRITE}, and then as {@link #END}. */
  WRITE_THEN_END(Need.REFUSED_IF_STALE, true),
  /** It commits within, or can't run in a transaction: the fence is to be held around it. */
  ALONE(Need.REFUSED_IF_STALE, true),
  /** A transaction is handed to whoever finishes it, out of the fence's sight. */
  TWO_PHASE(Need.REFUSED_IF_STALE, true),
  /** Something that may write follows the end or the beginning of a transaction in one text. */
  MIXED(Need.REFUSED_IF_STALE, true);

  /** What the fence has to do before. */
  public enum Need {
    NOTHING,
    READ_ONLY_IF_STALE,
    REFUSED_IF_STALE
  }

  private final Need need;
  private final boolean ends;

  SqlEffect(Need need, boolean ends) {
    this.need = need;
    this.ends = ends;
  }

  /** What the fence has to do before. */
  public Need need() {
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
