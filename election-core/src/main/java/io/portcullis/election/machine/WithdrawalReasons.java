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

  private static final Set<WithdrawalReason> PERMANENT =
      Set.of(WithdrawalReason.STOPPED, WithdrawalReason.UNSAFE);

  public WithdrawalReasons {
    reasons = Set.copyOf(reasons);
  }

  boolean isEmpty() {
    return reasons.isEmpty();
  }

  boolean contains(WithdrawalReason reason) {
    return reasons.contains(reason);
  }

  WithdrawalReasons plus(WithdrawalReason reason) {
    EnumSet<WithdrawalReason> more = EnumSet.of(reason);
    more.addAll(reasons);
    return new WithdrawalReasons(more);
  }

  WithdrawalReasons minus(WithdrawalReason reason) {
    return new WithdrawalReasons(
        reasons.stream().filter(each -> each != reason).collect(Collectors.toUnmodifiableSet()));
  }

  /** Returns the reasons after a command. A node that has left permanently can't rejoin. */
  WithdrawalReasons after(Command command) {
    if (command instanceof Command.StepDown) {
      return plus(WithdrawalReason.STEPPED_DOWN);
    }
    if (command instanceof Command.Withdraw withdraw) {
      return plus(withdraw.reason());
    }
    if (command instanceof Command.Rejoin rejoin) {
      return PERMANENT.contains(rejoin.reason()) ? this : minus(rejoin.reason());
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
   * A reason why a node does not campaign. Several may apply at once; the node campaigns again when
   * none is left. Operators and the node's own health use DRAINED, INELIGIBLE and NOT_READY; a
   * witness is one permanently; the others come from separate commands.
   */
  public enum WithdrawalReason {
    /** Stepped down: stays out until another node leads, or for two leases. */
    STEPPED_DOWN("stepped down"),
    /** Drained by an operator, until resumed. */
    DRAINED("drained"),
    /** The node's health makes it ineligible to lead. */
    INELIGIBLE("not eligible"),
    /** The node's gate is not reliable: permanent. */
    UNSAFE("its gate can't be relied on"),
    /** The node may not campaign yet. */
    NOT_READY("not ready to campaign"),
    /** The node only votes, so that others can be elected. */
    WITNESS("a witness"),
    /** The node is shutting down permanently. */
    STOPPED("stopped");

    private final String description;

    WithdrawalReason(String description) {
      this.description = description;
    }

    /** Description for logs and status. */
    public String description() {
      return description;
    }
  }
}
