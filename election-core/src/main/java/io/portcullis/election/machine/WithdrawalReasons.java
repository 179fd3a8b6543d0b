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

  boolean isEmpty() {
    return reasons.isEmpty();
  }

  boolean contains(WithdrawalReason absence) {
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
      return plus(withdraw.reason());
    }
    if (command instanceof Command.Rejoin rejoin) {
      return FOR_GOOD.contains(rejoin.reason()) ? this : minus(rejoin.reason());
    }
    return plus(WithdrawalReason.STOPPED);
  }

  RoleName roleName() {
    if (contains(WithdrawalReason.STOPPED)) {
      return RoleName.OFF;
    }
    if (contains(WithdrawalReason.WITNESS)) {
      return RoleName.WITNESS;
    }
    if (contains(WithdrawalReason.DRAINED)) {
      return RoleName.DRAINED;
    }
    return contains(WithdrawalReason.INELIGIBLE) || contains(WithdrawalReason.UNSAFE)
        ? RoleName.INELIGIBLE
        : RoleName.STANDBY;
  }

  /**
   * Why a node does not campaign. Several may hold at once; it returns when none is left. An
   * operator or the node's own health uses DRAINED, INELIGIBLE and NOT_READY; a witness is one from
   * start to end; the others come from orders of their own.
   */
  public enum WithdrawalReason {
    /** Asked to step down: out until another leads, or for two leases. */
    STEPPED_DOWN("stepped down"),
    /** Drained by an operator, until resumed. */
    DRAINED("drained"),
    /** Its own health forbids it to lead. */
    INELIGIBLE("not eligible"),
    /** Its gate can't be relied on: for good. */
    UNSAFE("its gate can't be relied on"),
    /** It has not been allowed to campaign yet. */
    NOT_READY("not ready to campaign"),
    /** It only votes, so that others can be elected. */
    WITNESS("a witness"),
    /** It is shutting down for good. */
    STOPPED("stopped");

    private final String description;

    WithdrawalReason(String sentence) {
      this.description = sentence;
    }

    /** In words. */
    public String description() {
      return description;
    }
  }
}
