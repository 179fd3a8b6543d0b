package io.portcullis.agent.config;

/** What the agent does at a gate. */
public enum Mode {
  /** Refuses calls where this node does not lead. */
  ENFORCE,
  /** Counts and logs, blocks nothing. */
  OBSERVE,
  /** Takes part in no election. */
  OFF
}
