package io.portcullis.gate.sql;

import io.portcullis.gate.Nullable;
import io.portcullis.gate.sql.Verdict.Need;

/**
 * The statements of one text, one after the other.
 *
 * <p>One that would commit within can't do so beside others: the server then has it run in the
 * transaction of the text, or refuses it. So it is an ordinary write there.
 */
final class Course {
  private @Nullable Verdict only;
  private int statements;
  private Need need = Need.NOTHING;
  private boolean begins;
  private boolean ends;
  private boolean isTwoPhase;
  private boolean isMixed;

  void add(@Nullable Verdict verdict) {
    if (verdict == null) {
      return;
    }
    statements++;
    only = verdict;
    isTwoPhase |= verdict == Verdict.TWO_PHASE;
    isMixed |= (begins || ends) && verdict.need() != Need.NOTHING;
    need = graver(need, verdict.need());
    begins |= verdict == Verdict.BEGIN;
    ends |= verdict == Verdict.END || verdict == Verdict.DISCARD;
  }

  Verdict verdict() {
    if (only == null) {
      return Verdict.READ;
    }
    if (statements == 1) {
      return only;
    }
    if (isTwoPhase) {
      return Verdict.TWO_PHASE;
    }
    if (isMixed) {
      return Verdict.MIXED;
    }
    return switch (need) {
      case NOTHING -> ends ? Verdict.END : begins ? Verdict.BEGIN : Verdict.READ;
      // A transaction that begins last may not go on under what was found before it began.
      case READ_ONLY_IF_STALE -> ends || begins ? Verdict.MAYBE_THEN_END : Verdict.MAYBE;
      case REFUSED_IF_STALE -> ends || begins ? Verdict.WRITE_THEN_END : Verdict.WRITE;
    };
  }

  /** Of two readings of one text. */
  static Verdict graver(Verdict one, Verdict other) {
    if (one == other) {
      return one;
    }
    if (one.isRefused() || other.isRefused() || isApart(one) || isApart(other)) {
      return Verdict.MIXED;
    }
    boolean ends = one.ends() || other.ends();
    return switch (graver(one.need(), other.need())) {
      case NOTHING -> ends ? Verdict.END : Verdict.READ;
      case READ_ONLY_IF_STALE -> ends ? Verdict.MAYBE_THEN_END : Verdict.MAYBE;
      case REFUSED_IF_STALE -> ends ? Verdict.WRITE_THEN_END : Verdict.WRITE;
    };
  }

  private static boolean isApart(Verdict verdict) {
    return verdict == Verdict.ALONE || verdict == Verdict.BEGIN;
  }

  private static Need graver(Need one, Need other) {
    return one.compareTo(other) >= 0 ? one : other;
  }
}
