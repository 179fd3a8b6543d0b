package io.portcullis.agent.jmx;

import io.portcullis.agent.node.Node;
import io.portcullis.rules.coverage.RuleCoverage;

/** One rule behind its bean. */
final class RuleMBeanAdapter implements RuleMBean {
  private final Node node;
  private final String id;

  RuleMBeanAdapter(Node node, String id) {
    this.node = node;
    this.id = id;
  }

  @Override
  public String getState() {
    return rule().state().name();
  }

  @Override
  public String getMatch() {
    return rule().match();
  }

  @Override
  public String getAction() {
    return rule().action();
  }

  @Override
  public long getWovenMethods() {
    return rule().wovenMethods();
  }

  @Override
  public long getPassed() {
    return rule().passed();
  }

  @Override
  public long getBlocked() {
    return rule().blocked();
  }

  private RuleCoverage rule() {
    return node.rules().get().stream()
        .filter(rule -> rule.id().equals(id))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("There is no rule '" + id + "' any more."));
  }
}
