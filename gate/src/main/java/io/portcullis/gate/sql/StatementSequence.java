package io.portcullis.gate.sql;

import io.portcullis.gate.Nullable;
import io.portcullis.gate.sql.SqlEffect.FenceRequirement;

/**
 * Combines the effects of consecutive statements in one SQL string.
 *
 * <p>A statement that would commit inside can't do so next to others: the server then runs it in
 * the transaction of the whole string, or refuses it. So it is an ordinary write there.
 */
final class StatementSequence {
  private @Nullable SqlEffect only;
  private int statements;
  private FenceRequirement need = FenceRequirement.NOTHING;
  private boolean begins;
  private boolean ends;
  private boolean isTwoPhase;
  private boolean isMixed;

  void add(@Nullable SqlEffect effect) {
    if (effect == null) {
      return;
    }
    statements++;
    only = effect;
    isTwoPhase |= effect == SqlEffect.TWO_PHASE;
    isMixed |= (begins || ends) && effect.need() != FenceRequirement.NOTHING;
    need = stricter(need, effect.need());
    begins |= effect == SqlEffect.BEGIN;
    ends |= effect == SqlEffect.END || effect == SqlEffect.DISCARD;
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
      // A transaction that begins last must not continue under a check made before it began.
      case READ_ONLY_IF_STALE ->
          ends || begins ? SqlEffect.MAY_WRITE_THEN_END : SqlEffect.MAY_WRITE;
      case REFUSED_IF_STALE -> ends || begins ? SqlEffect.WRITE_THEN_END : SqlEffect.WRITE;
    };
  }

  /** Returns the stricter of two readings of the same SQL. */
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

  private static boolean isStandalone(SqlEffect effect) {
    return effect == SqlEffect.OUTSIDE_TRANSACTION || effect == SqlEffect.BEGIN;
  }

  private static FenceRequirement stricter(FenceRequirement one, FenceRequirement other) {
    return one.compareTo(other) >= 0 ? one : other;
  }
}
