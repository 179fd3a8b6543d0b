package io.portcullis.election.store;

/**
 * The range of valid epochs, for every store and every fence. A value outside this range is
 * rejected where it is read: it is neither granted, nor remembered, nor written anywhere. So no
 * trace of it remains after its repair, and no running node has to be restarted.
 *
 * <p><b>Lower bound.</b> A granted epoch is at least 1; 0 means "no epoch yet".
 *
 * <p><b>Upper bound.</b> A store without a memory of epochs starts at the Unix second, about 1.8
 * billion, and adds one per grant. Seconds reach {@link #MAX_EPOCH} after the year 33000; counting
 * reaches it after thirty years with a grant in every single millisecond. The limit is far below
 * 2^53, up to which Redis scripts count exactly, and below the current time in milliseconds, the
 * most likely wrong value, so that a time in the wrong unit is rejected too.
 *
 * <p><b>Room for later grants.</b> A wrong value within the range is not detected: grants continue
 * above it, and epochs still rise. So a value near the upper bound would leave the election no
 * higher epochs, and running nodes would remember it after its repair. Therefore an epoch that is
 * read from a store or a fence must also lie at most {@link #MAX_LEAD} above the current second.
 * That is half of the range: no accepted value leaves fewer grants than the other half.
 *
 * <p><b>Why a wrong clock does no harm.</b> The lead is 16,000 years, so a clock that is set back
 * to 1970 accepts every correct epoch as well. Two clocks disagree only about a wrong value whose
 * distance from the limit is smaller than the difference between the clocks, and only until the
 * limit of the slower clock has passed it.
 */
public final class EpochRange {
  /** Lowest epoch that is ever granted. */
  public static final long MIN_EPOCH = 1;

  /** Highest epoch that is accepted, granted or written. */
  public static final long MAX_EPOCH = 999_999_999_999L;

  /** Maximum distance above the current Unix second of an epoch that is read. */
  public static final long MAX_LEAD = 500_000_000_000L;

  private static final int MAX_DIGITS = Long.toString(MAX_EPOCH).length();

  private EpochRange() {}

  /** True if the epoch can have been granted. */
  public static boolean contains(long epoch) {
    return epoch >= MIN_EPOCH && epoch <= MAX_EPOCH;
  }

  /**
   * Returns the epoch if it can have been granted, or if it is 0, which means none.
   *
   * @throws EpochRangeException if it is neither
   */
  public static long check(long epoch) {
    if (epoch != 0 && !contains(epoch)) {
      throw EpochRangeException.implausible(Long.toString(epoch));
    }
    return epoch;
  }

  /** Highest epoch that is accepted from a store or fence at this time. */
  public static long highestAt(long unixSecond) {
    long second = Math.max(0, Math.min(unixSecond, MAX_EPOCH - MAX_LEAD));
    return second + MAX_LEAD;
  }

  /**
   * Parses an epoch that is stored as text: decimal digits and nothing else.
   *
   * @throws EpochRangeException if it is not a number from 0 to {@link #MAX_EPOCH}
   */
  public static long parse(String text) {
    if (!isNumber(text)) {
      throw EpochRangeException.implausible(text);
    }
    return Long.parseLong(text);
  }

  /**
   * Parses an epoch that others may have written; it must leave room for later grants.
   *
   * @param unixSecond the current time
   * @throws EpochRangeException if it is not a number from 0 to {@link #highestAt} this time
   */
  public static long parse(String text, long unixSecond) {
    long epoch = parse(text);
    if (epoch > highestAt(unixSecond)) {
      throw EpochRangeException.implausible(text);
    }
    return epoch;
  }

  static boolean isNumber(String text) {
    return !text.isEmpty()
        && text.length() <= MAX_DIGITS
        && text.chars().allMatch(each -> each >= '0' && each <= '9');
  }

  /**
   * Returns the next epoch.
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
