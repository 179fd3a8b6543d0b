package io.portcullis.agent.jmx;

/** MBean of one rule. */
public interface RuleMBean {
  /** The state: PENDING, NOT_NEEDED, ARMED, NO_METHOD or FAILED. */
  String getState();

  /** The match pattern. */
  String getMatch();

  /** The action for a refused call. */
  String getAction();

  /** The mode: enforce, or observe if refused calls are only counted and run. */
  String getMode();

  /** Number of methods that this rule gates. */
  long getWovenMethods();

  /** Number of calls whose body has ended, including calls that were only observed. */
  long getPassed();

  /** Number of calls that found the gate shut, except those that were only observed. */
  long getBlocked();

  /** Number of calls that found the gate shut and ran all the same, because of the mode. */
  long getObserved();
}
