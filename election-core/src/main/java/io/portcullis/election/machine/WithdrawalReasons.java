package io.portcullis.election.machine;

import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The reasons why a node does not campaign.
 *
 * @param reasons unmodifiable
 */
public record WithdrawalReasons(Set<WithdrawalReason> reasons) {
  static final WithdrawalReasons NONE = new WithdrawalReasons(Set.of());

  private static final Set<WithdrawalReason> FOR_GOOD =
      Set.of(WithdrawalReason.STOPPED, WithdrawalReason.UNSAFE);

  /** Keeps a copy. */
  public WithdrawalReasons {
    reasons = Set.copyOf(reasons);
  }

  boolean areNone() {
    return reasons.isEmpty();
  }

  boolean include(WithdrawalReason absence) {
    return reasons.contains(absence);
  }

  WithdrawalReasons plus(WithdrawalReason absence) {
    EnumSet<WithdrawalReason> more = EnumSet.of(absence);
    more.addAll(reasons);
    return new WithdrawalReasons(more);
  }

  WithdrawalReasons minus(WithdrawalReason absence) {
    return new WithdrawalReasons(
        reasons.stream()
            .filter(reason -> reason != absence)
            .collect(Collectors.toUnmodifiableSet()));
  }

  /** What is left after a command; a node that leaves for good can't be called back. */
  WithdrawalReasons after(Command command) {
    if (command instanceof Command.StepDown) {
      return plus(WithdrawalReason.STEPPED_DOWN);
    }
    if (command instanceof Command.Withdraw withdraw) {
      return plus(withdraw.absence());
    }
    if (command instanceof Command.Rejoin rejoin) {
      return FOR_GOOD.contains(rejoin.absence()) ? this : minus(rejoin.absence());
    }
    return plus(WithdrawalReason.STOPPED);
  }

  RoleName roleName() {
    if (include(WithdrawalReason.STOPPED)) {
      return RoleName.OFF;
    }
    if (include(WithdrawalReason.WITNESS)) {
      return RoleName.WITNESS;
    }
    if (include(WithdrawalReason.DRAINED)) {
      return RoleName.DRAINED;
    }
    return include(WithdrawalReason.INELIGIBLE) || include(WithdrawalReason.UNSAFE)
        ? RoleName.INELIGIBLE
        : RoleName.STANDBY;
  }
}
