package io.portcullis.election.store;

/**
 * Thrown for an epoch outside the valid range, or one that no other can follow. The message states
 * what is wrong with the value; the reader of the value adds place and repair, see {@link
 * #sentence}.
 */
public final class EpochRangeException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** Maximum length of an invalid value in a message. */
  private static final int MAX_SHOWN_CHARS = 40;

  private final boolean exhausted;

  private EpochRangeException(String message, boolean exhausted) {
    super(message);
    this.exhausted = exhausted;
  }

  /**
   * A value that can't have been granted, as it was read. If it is within the range, it is too far
   * above the current time.
   */
  public static EpochRangeException implausible(String value) {
    if (EpochRange.isNumber(value) && EpochRange.contains(Long.parseLong(value))) {
      return new EpochRangeException(
          "epoch '"
              + value
              + "' is more than "
              + EpochRange.MAX_LEAD
              + " above the current Unix second",
          false);
    }
    String shown =
        value.length() <= MAX_SHOWN_CHARS ? value : value.substring(0, MAX_SHOWN_CHARS) + "...";
    return new EpochRangeException(
        "epoch '"
            + shown.replaceAll("\\p{Cntrl}", "?")
            + "' is not a whole number from "
            + EpochRange.MIN_EPOCH
            + " to "
            + EpochRange.MAX_EPOCH,
        false);
  }

  /** An epoch that no other can follow. */
  public static EpochRangeException exhausted(String epoch) {
    return new EpochRangeException(
        "epoch " + epoch + " leaves no higher one: epochs end at " + EpochRange.MAX_EPOCH, true);
  }

  /**
   * An epoch, read elsewhere, above which a store can't grant.
   *
   * @param highest the highest epoch above which it can
   */
  public static EpochRangeException unreachable(long epoch, long highest) {
    return new EpochRangeException(
        "epoch "
            + epoch
            + " is too high: the lease's store can grant no epoch above it, only above "
            + highest
            + " and less",
        false);
  }

  /**
   * True if the value itself is within the range and the next one is not. Running nodes then
   * remember an epoch that can't be followed, so a repair requires all of them to be stopped; any
   * other wrong value is never remembered. This happens only with a clock that is thousands of
   * years ahead, or with a store that does not use {@link EpochRange#parse(String, long)}.
   */
  public boolean isExhausted() {
    return exhausted;
  }

  /**
   * Describes the problem and its repair.
   *
   * @param place where the epoch is stored, such as "the row of scope x in table y"
   * @param repair the command to run there; it sets the epoch to the current Unix second
   */
  public String sentence(String place, String repair) {
    return place
        + " can't be right: "
        + getMessage()
        + ". "
        + (exhausted
            ? "Stop all nodes of this election, then run: "
                + repair
                + " and do the same for its fences, then start the nodes"
            : "Run: " + repair + " and the election continues, without a restart");
  }
}
