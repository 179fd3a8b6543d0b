package io.portcullis.agent.node;

import io.portcullis.agent.node.NodeView.PendingReload;
import io.portcullis.rules.coverage.RuleCoverage;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * This node as a whole, for whoever shows it.
 *
 * @param identity who this process is
 * @param service the service it belongs to
 * @param version the agent's version
 * @param mode enforce, observe or off
 * @param elections its elections, in the order of the configuration
 * @param rules how its rules stand
 * @param fences how its fences stand
 * @param transitions what happened lately
 * @param pendingReload a change of its configuration that was seen and not taken up, null if none
 */
public record Node(
    String identity,
    String service,
    String version,
    String mode,
    List<NodeElection> elections,
    Supplier<List<RuleCoverage>> rules,
    Supplier<List<FenceView>> fences,
    TransitionHistory transitions,
    Supplier<@Nullable PendingReload> pendingReload) {

  /** A node whose configuration is read once. */
  public Node(
      String identity,
      String service,
      String version,
      String mode,
      List<NodeElection> elections,
      Supplier<List<RuleCoverage>> rules,
      Supplier<List<FenceView>> fences,
      TransitionHistory transitions) {
    this(identity, service, version, mode, elections, rules, fences, transitions, () -> null);
  }

  /** How all of it stands at this moment. */
  public NodeView view() {
    return new NodeView(
        identity,
        service,
        version,
        mode,
        elections.stream().map(NodeElection::view).toList(),
        rules.get(),
        fences.get(),
        transitions.recent(),
        pendingReload.get());
  }
}
