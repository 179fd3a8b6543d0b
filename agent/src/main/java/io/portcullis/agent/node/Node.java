package io.portcullis.agent.node;

import io.portcullis.rules.coverage.RuleCoverage;
import java.util.List;
import java.util.function.Supplier;

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
 */
public record Node(
    String identity,
    String service,
    String version,
    String mode,
    List<NodeElection> elections,
    Supplier<List<RuleCoverage>> rules,
    Supplier<List<FenceView>> fences,
    Transitions transitions) {

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
        transitions.list());
  }
}
