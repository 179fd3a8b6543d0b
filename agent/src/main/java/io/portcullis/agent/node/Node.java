package io.portcullis.agent.node;

import io.portcullis.agent.node.NodeView.PendingReload;
import io.portcullis.rules.coverage.RuleCoverage;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * This node with all its elections, rules and fences; source of {@link NodeView}.
 *
 * @param elections in the order of the configuration
 * @param rules the current state of the rules
 * @param fences the current state of the fences
 * @param pendingReload a detected configuration change that was not applied, null if none
 */
public record Node(
    NodeInfo info,
    List<NodeElection> elections,
    Supplier<List<RuleCoverage>> rules,
    Supplier<List<FenceView>> fences,
    TransitionHistory transitions,
    Supplier<@Nullable PendingReload> pendingReload) {

  /** A node whose configuration is read once. */
  public Node(
      NodeInfo info,
      List<NodeElection> elections,
      Supplier<List<RuleCoverage>> rules,
      Supplier<List<FenceView>> fences,
      TransitionHistory transitions) {
    this(info, elections, rules, fences, transitions, () -> null);
  }

  /** Takes a snapshot of the current state. */
  public NodeView view() {
    return new NodeView(
        info,
        elections.stream().map(NodeElection::view).toList(),
        rules.get(),
        fences.get(),
        transitions.recent(),
        pendingReload.get());
  }

  /**
   * What does not change while the JVM runs.
   *
   * @param identity unique per process
   * @param version the agent's version
   * @param mode enforce, observe or off
   */
  public record NodeInfo(String identity, String service, String version, String mode) {}
}
