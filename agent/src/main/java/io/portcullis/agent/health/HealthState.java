package io.portcullis.agent.health;

import org.jspecify.annotations.Nullable;

/**
 * How a node stands after some rounds of checks. Nobody is eligible before the first round that was
 * good; that one suffices, since there is nothing to distrust yet. Afterwards it takes some
 * failures in a row to lose it, and some good rounds in a row to get it back.
 *
 * @param eligible whether it may lead
 * @param tried whether it ever was
 * @param inARow how many rounds in a row spoke against what it is
 * @param trouble what was wrong last, empty if nothing ever was
 */
record HealthState(boolean eligible, boolean tried, int inARow, String trouble) {
  /** Before the first round. */
  static final HealthState UNKNOWN = new HealthState(false, false, 0, "");

  /**
   * After one more round.
   *
   * @param failure what was wrong in it, null if nothing was
   * @param failures how many in a row are too many
   * @param successes how many in a row are enough
   */
  HealthState after(@Nullable String failure, int failures, int successes) {
    if (eligible) {
      if (failure == null) {
        return new HealthState(true, true, 0, trouble);
      }
      boolean lost = inARow + 1 >= failures;
      return new HealthState(!lost, true, lost ? 0 : inARow + 1, failure);
    }
    if (failure != null) {
      return new HealthState(false, tried, 0, failure);
    }
    boolean enough = !tried || inARow + 1 >= successes;
    return new HealthState(enough, tried || enough, enough ? 0 : inARow + 1, trouble);
  }

  /** Why it is not eligible, or that it is. */
  String why(int successes) {
    if (eligible) {
      return "eligible";
    }
    if (trouble.isEmpty()) {
      return "not eligible: no check has been answered yet";
    }
    return "not eligible: "
        + trouble
        + (inARow == 0 ? "" : "; since then " + inARow + " of " + successes + " good answers");
  }
}
