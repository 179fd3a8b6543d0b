package io.portcullis.agent.jmx;

import io.portcullis.agent.jmx.DescribedMBean.Description;

/** MBean of the agent, {@code io.portcullis:type=Agent}. */
@Description("The Portcullis agent of this JVM")
public interface AgentMBean {
  @Description("Version of the agent")
  String getVersion();

  @Description("The identity of this node")
  String getNode();

  @Description("The mode of this node: enforce, observe or off")
  String getMode();

  @Description(
      "Why a change of the configuration files has not been applied and how to apply it; empty if "
          + "no change is pending")
  String getPendingReload();

  @Description(
      "Reloads the configuration and applies its rules, all or none; returns the outcome in one "
          + "sentence")
  String reload();

  @Description("Returns diagnostics for troubleshooting, as JSON without secrets")
  String diagnostics();
}
