package io.portcullis.agent.jmx;

import io.portcullis.agent.node.AuditLog;
import io.portcullis.agent.node.Node;
import io.portcullis.agent.node.NodeView.PendingReload;
import java.util.function.Supplier;

/** The agent behind its bean. */
final class AgentMBeanAdapter implements AgentMBean {
  private final Node node;
  private final Supplier<String> reload;
  private final Supplier<String> diagnostics;

  AgentMBeanAdapter(Node node, Supplier<String> reload, Supplier<String> diagnostics) {
    this.node = node;
    this.reload = reload;
    this.diagnostics = diagnostics;
  }

  @Override
  public String getVersion() {
    return node.version();
  }

  @Override
  public String getNode() {
    return node.identity();
  }

  @Override
  public String getPendingReload() {
    PendingReload pending = node.pendingReload().get();
    return pending == null ? "" : pending.why();
  }

  @Override
  public String reload() {
    AuditLog.reload("jmx");
    return reload.get();
  }

  @Override
  public String diagnostics() {
    return diagnostics.get();
  }
}
