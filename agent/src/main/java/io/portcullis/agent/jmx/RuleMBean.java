package io.portcullis.agent.jmx;

/** What a bean of type Rule shows. */
public interface RuleMBean {
  /** PENDING, ARMED, NO_METHOD or FAILED. */
  String getState();

  /** The pattern. */
  String getMatch();

  /** What happens to a refused call. */
  String getAction();

  /** How many methods are gated by it. */
  long getWovenMethods();

  /** Calls whose body has run. */
  long getPassed();

  /** Calls that found the gate shut. */
  long getBlocked();
}
