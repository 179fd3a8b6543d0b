package io.portcullis.election.machine;

/** What people call a role. */
public enum RoleName {
  /** The gate is open. */
  LEADER,
  /** Another leads, or this node is on its way out. */
  STANDBY,
  /** Nobody is known to lead, and this node wants to. */
  CANDIDATE,
  /** Out by an operator's order. */
  DRAINED,
  /** Out because of its own health. */
  INELIGIBLE,
  /** Votes, so that others can be elected, and never leads. */
  WITNESS,
  /** Takes part no more. */
  OFF
}
