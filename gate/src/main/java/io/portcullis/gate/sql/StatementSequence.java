package io.portcullis.gate.sql;

import io.portcullis.gate.Nullable;
import io.portcullis.gate.sql.SqlEffect.FenceRequirement;

/**
 * The statements of one text, one after the other.
 *
 * <p>One that would commit within can't do so beside others: the server then has it run in the
 * transaction of the text, or refuses it. So it is an ordinary write there.
 */
final class StatementSequence {
  private @Nullable SqlEffect only;
  private int statements;
  private FenceRequirement need = FenceRequirement.NOTHING;
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
    isMixed |= (begins || ends) && verdict.need() != FenceRequirement.NOTHING;
    need = stricter(need, verdict.need());
    begins |= verdict == SqlEffect.BEGIN;
    ends |= verdict == SqlEffect.END || verdict == SqlEffect.DISCARD;
  }

  SqlEffect effect() {
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
      case READ_ONLY_IF_STALE ->
          ends || begins ? SqlEffect.MAY_WRITE_THEN_END : SqlEffect.MAY_WRITE;
      case REFUSED_IF_STALE -> ends || begins ? SqlEffect.WRITE_THEN_END : SqlEffect.WRITE;
    };
  }

  /** Of two readings of one text. */
  static SqlEffect stricter(SqlEffect one, SqlEffect other) {
    if (one == other) {
      return one;
    }
    if (one.isRefused() || other.isRefused() || isStandalone(one) || isStandalone(other)) {
      return SqlEffect.MIXED;
    }
    boolean ends = one.ends() || other.ends();
    return switch (stricter(one.need(), other.need())) {
      case NOTHING -> ends ? SqlEffect.END : SqlEffect.READ;
      case READ_ONLY_IF_STALE -> ends ? SqlEffect.MAY_WRITE_THEN_END : SqlEffect.MAY_WRITE;
      case REFUSED_IF_STALE -> ends ? SqlEffect.WRITE_THEN_END : SqlEffect.WRITE;
    };
  }

  private static boolean isStandalone(SqlEffect verdict) {
    return verdict == SqlEffect.OUTSIDE_TRANSACTION || verdict == SqlEffect.BEGIN;
  }

  private static FenceRequirement stricter(FenceRequirement one, FenceRequirement other) {
    return one.compareTo(other) >= 0 ? one : other;
  }
}
