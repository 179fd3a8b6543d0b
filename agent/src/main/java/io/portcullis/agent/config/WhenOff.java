package io.portcullis.agent.config;

/** How the gates stand while the agent is off. */
public enum WhenOff {
  /** All shut. */
  STANDBY,
  /** All open: a single instance. */
  LEADER
}
