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
  /** Takes part no more. */
  OFF
}
