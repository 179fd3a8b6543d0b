package io.portcullis.election.machine;

import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The reasons why a node does not campaign.
 *
 * @param reasons unmodifiable
 */
public record Absences(Set<Absence> reasons) {
  static final Absences NONE = new Absences(Set.of());

  private static final Set<Absence> FOR_GOOD = Set.of(Absence.STOPPED, Absence.UNSAFE);

  /** Keeps a copy. */
  public Absences {
    reasons = Set.copyOf(reasons);
  }

  boolean areNone() {
    return reasons.isEmpty();
  }

  boolean include(Absence absence) {
    return reasons.contains(absence);
  }

  Absences plus(Absence absence) {
    EnumSet<Absence> more = EnumSet.of(absence);
    more.addAll(reasons);
    return new Absences(more);
  }

  Absences minus(Absence absence) {
    return new Absences(
        reasons.stream()
            .filter(reason -> reason != absence)
            .collect(Collectors.toUnmodifiableSet()));
  }

  /** What is left after a command; a node that leaves for good can't be called back. */
  Absences after(Command command) {
    if (command instanceof Command.StepDown) {
      return plus(Absence.STEPPED_DOWN);
    }
    if (command instanceof Command.Withdraw withdraw) {
      return plus(withdraw.absence());
    }
    if (command instanceof Command.Rejoin rejoin) {
      return FOR_GOOD.contains(rejoin.absence()) ? this : minus(rejoin.absence());
    }
    return plus(Absence.STOPPED);
  }

  RoleName roleName() {
    if (include(Absence.STOPPED)) {
      return RoleName.OFF;
    }
    if (include(Absence.WITNESS)) {
      return RoleName.WITNESS;
    }
    if (include(Absence.DRAINED)) {
      return RoleName.DRAINED;
    }
    return include(Absence.INELIGIBLE) || include(Absence.UNSAFE)
        ? RoleName.INELIGIBLE
        : RoleName.STANDBY;
  }
}
