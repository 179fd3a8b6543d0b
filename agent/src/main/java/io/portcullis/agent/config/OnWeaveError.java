package io.portcullis.agent.config;

/** What follows if a method could not be gated. */
public enum OnWeaveError {
  /** The JVM is stopped. */
  HALT,
  /** The node never leads. */
  REFUSE
}
