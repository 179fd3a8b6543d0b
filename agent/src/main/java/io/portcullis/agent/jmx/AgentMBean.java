package io.portcullis.agent.jmx;

/** What the bean of the agent shows and does. */
public interface AgentMBean {
  /** The agent's version. */
  String getVersion();

  /** The identity of this node. */
  String getNode();

  /**
   * Why a change of the configuration's files was not taken up, and what to do; empty if there is
   * none.
   */
  String getPendingReload();

  /**
   * Reads the configuration again and puts its rules in force, all or none.
   *
   * @return what came of it
   */
  String reload();

  /** All there is to know for whoever looks for a fault, as JSON without secrets. */
  String diagnostics();
}
