package io.portcullis.election.store;

/**
 * The range of valid epochs, for every store and every fence. A value outside this range is refused
 * where it is read: it is neither granted, nor remembered, nor written anywhere. So nothing of it
 * remains after its repair, and no running node has to be restarted.
 *
 * <p><b>Lower bound.</b> A granted epoch is at least 1; 0 stands for "no epoch yet".
 *
 * <p><b>Upper bound.</b> A store without a memory of epochs starts at the Unix second, about 1.8
 * thousand million, and adds one per grant. Seconds reach {@link #MAX_EPOCH} after the year 33000;
 * counting reaches it after thirty years with a grant in every single millisecond. The bound is far
 * below 2^53, up to which Redis' scripts count exactly, and below the present time in milliseconds,
 * the likeliest wrong value, so that a time in the wrong unit is refused too.
 *
 * <p><b>Why the range does not depend on a clock.</b> "Not far above the present second" would
 * refuse more. But a clock that is set back would then invalidate right epochs, and two nodes with
 * different clocks would judge the same row differently. A constant does neither. It does not
 * detect a wrong value within the range: grants go on above it, and epochs still rise. Only if such
 * a value leaves no higher one does the election need more than a repaired value, see {@link
 * EpochRangeException#isExhausted}.
 */
public final class EpochRange {
  /** The lowest epoch that is ever granted. */
  public static final long MIN_EPOCH = 1;

  /** The highest epoch that is accepted, granted or written. */
  public static final long MAX_EPOCH = 999_999_999_999L;

  private static final int MAX_DIGITS = Long.toString(MAX_EPOCH).length();

  private EpochRange() {}

  /** True for an epoch that can have been granted. */
  public static boolean contains(long epoch) {
    return epoch >= MIN_EPOCH && epoch <= MAX_EPOCH;
  }

  /**
   * The epoch if it can have been granted, or is 0, which stands for none.
   *
   * @throws EpochRangeException if it is neither
   */
  public static long check(long epoch) {
    if (epoch != 0 && !contains(epoch)) {
      throw EpochRangeException.implausible(Long.toString(epoch));
    }
    return epoch;
  }

  /**
   * Reads an epoch that is kept as text: decimal digits and nothing else.
   *
   * @throws EpochRangeException if it is no number from 0 to {@link #MAX_EPOCH}
   */
  public static long parse(String text) {
    boolean digits =
        !text.isEmpty()
            && text.length() <= MAX_DIGITS
            && text.chars().allMatch(each -> each >= '0' && each <= '9');
    if (!digits) {
      throw EpochRangeException.implausible(text);
    }
    return Long.parseLong(text);
  }

  /**
   * The epoch after this one.
   *
   * @throws EpochRangeException if there is none
   */
  public static long after(long epoch) {
    if (epoch >= MAX_EPOCH) {
      throw EpochRangeException.exhausted(Long.toString(epoch));
    }
    return Math.addExact(epoch, 1);
  }
}
