package io.portcullis.gate.sql;

import io.portcullis.gate.Nullable;
import io.portcullis.gate.sql.SqlEffect.Need;

/**
 * The statements of one text, one after the other.
 *
 * <p>One that would commit within can't do so beside others: the server then has it run in the
 * transaction of the text, or refuses it. So it is an ordinary write there.
 */
final class StatementSequence {
  private @Nullable SqlEffect only;
  private int statements;
  private Need need = Need.NOTHING;
  private boolean begins;
  private boolean ends;
  private boolean isTwoPhase;
  private boolean isMixed;

  void add(@Nullable SqlEffect verdict) {
    if (verdict == null) {
      return;
    }
    statements++;
    only = verdict;
    isTwoPhase |= verdict == SqlEffect.TWO_PHASE;
    isMixed |= (begins || ends) && verdict.need() != Need.NOTHING;
    need = graver(need, verdict.need());
    begins |= verdict == SqlEffect.BEGIN;
    ends |= verdict == SqlEffect.END || verdict == SqlEffect.DISCARD;
  }

  SqlEffect verdict() {
    if (only == null) {
      return SqlEffect.READ;
    }
    if (statements == 1) {
      return only;
    }
    if (isTwoPhase) {
      return SqlEffect.TWO_PHASE;
    }
    if (isMixed) {
      return SqlEffect.MIXED;
    }
    return switch (need) {
      case NOTHING -> ends ? SqlEffect.END : begins ? SqlEffect.BEGIN : SqlEffect.READ;
      // A transaction that begins last may not go on under what was found before it began.
      case READ_ONLY_IF_STALE -> ends || begins ? SqlEffect.MAYBE_THEN_END : SqlEffect.MAYBE;
      case REFUSED_IF_STALE -> ends || begins ? SqlEffect.WRITE_THEN_END : SqlEffect.WRITE;
    };
  }

  /** Of two readings of one text. */
  static SqlEffect graver(SqlEffect one, SqlEffect other) {
    if (one == other) {
      return one;
    }
    if (one.isRefused() || other.isRefused() || isApart(one) || isApart(other)) {
      return SqlEffect.MIXED;
    }
    boolean ends = one.ends() || other.ends();
    return switch (graver(one.need(), other.need())) {
      case NOTHING -> ends ? SqlEffect.END : SqlEffect.READ;
      case READ_ONLY_IF_STALE -> ends ? SqlEffect.MAYBE_THEN_END : SqlEffect.MAYBE;
      case REFUSED_IF_STALE -> ends ? SqlEffect.WRITE_THEN_END : SqlEffect.WRITE;
    };
  }

  private static boolean isApart(SqlEffect verdict) {
    return verdict == SqlEffect.ALONE || verdict == SqlEffect.BEGIN;
  }

  private static Need graver(Need one, Need other) {
    return one.compareTo(other) >= 0 ? one : other;
  }
}
