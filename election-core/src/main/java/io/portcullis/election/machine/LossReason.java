package io.portcullis.election.machine;

import io.portcullis.election.machine.WithdrawalReasons.WithdrawalReason;

/** Why a tenure ended. */
public enum LossReason {
  /** No renewal succeeded in time; the gate shut by its deadline. */
  LEASE_RAN_OUT,
  /** The wall clock and the monotonic clock moved apart: the host may have been suspended. */
  CLOCKS_DISAGREE,
  /** Every retry of a renewal failed. */
  RENEWAL_FAILED,
  /** The store says that the lease is not this node's any more. */
  LEASE_LOST,
  /** Asked to step down. */
  STEPPED_DOWN,
  /** Drained by an operator. */
  DRAINED,
  /** The node's own health forbade it to go on. */
  INELIGIBLE,
  /** Shut down. */
  STOPPED,
  /** A bug ended the engine; the gate was shut, and the lease runs out. */
  FAILED;

  static LossReason of(WithdrawalReason absence) {
    return switch (absence) {
      case STEPPED_DOWN -> STEPPED_DOWN;
      case DRAINED -> DRAINED;
      case INELIGIBLE, UNSAFE, NOT_READY, WITNESS -> INELIGIBLE;
      case STOPPED -> STOPPED;
    };
  }
}
