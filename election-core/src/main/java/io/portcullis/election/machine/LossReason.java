package io.portcullis.election.machine;

import io.portcullis.election.machine.WithdrawalReasons.WithdrawalReason;

/** Why a tenure ended. */
public enum LossReason {
  /** No renewal succeeded in time; the gate shut by its deadline. */
  LEASE_RAN_OUT,
  /** The wall clock and the monotonic clock diverged: the host may have been suspended. */
  CLOCKS_DISAGREE,
  /** Every retry of a renewal failed. */
  RENEWAL_FAILED,
  /** The store shows that this node no longer holds the lease. */
  LEASE_LOST,
  /** Stepped down on request. */
  STEPPED_DOWN,
  /** Drained by an operator. */
  DRAINED,
  /** The node's health checks made it ineligible. */
  INELIGIBLE,
  /** Shut down. */
  STOPPED,
  /** The engine failed because of a bug; the gate was shut, and the lease runs out. */
  FAILED;

  static LossReason of(WithdrawalReason reason) {
    return switch (reason) {
      case STEPPED_DOWN -> STEPPED_DOWN;
      case DRAINED -> DRAINED;
      case INELIGIBLE, UNSAFE, NOT_READY, WITNESS -> INELIGIBLE;
      case STOPPED -> STOPPED;
    };
  }
}
