package io.portcullis.election.machine;

/** Name of a role for display. */
public enum RoleName {
  /** The gate is open. */
  LEADER,
  /** Another node leads, or this node is giving up leadership. */
  STANDBY,
  /** No leader is known, and this node campaigns. */
  CANDIDATE,
  /** Not campaigning because an operator drained it. */
  DRAINED,
  /** Not campaigning because of its own health. */
  INELIGIBLE,
  /** Votes, so that others can be elected, but never leads. */
  WITNESS,
  /** No longer participates. */
  OFF
}
