package io.portcullis.agent.jmx;

/** MBean of the agent, {@code io.portcullis:type=Agent}. */
public interface AgentMBean {
  /** Version of the agent. */
  String getVersion();

  /** The identity of this node. */
  String getNode();

  /** The mode of this node: enforce, observe or off. */
  String getMode();

  /**
   * Why a change of the configuration files has not been applied and how to apply it; empty if no
   * change is pending.
   */
  String getPendingReload();

  /**
   * Reloads the configuration and applies its rules, all or none.
   *
   * @return the outcome in one sentence
   */
  String reload();

  /** Diagnostics for troubleshooting, as JSON without secrets. */
  String diagnostics();
}
