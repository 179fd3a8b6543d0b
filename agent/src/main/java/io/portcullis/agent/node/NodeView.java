package io.portcullis.agent.node;

import io.portcullis.agent.node.Node.NodeInfo;
import io.portcullis.agent.node.TransitionHistory.Transition;
import io.portcullis.rules.coverage.RuleCoverage;
import io.portcullis.rules.coverage.RuleCoverage.RuleState;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * State of this node at one moment.
 *
 * @param elections in the order of the configuration
 * @param fences one entry for each database
 * @param transitions the newest transitions, oldest first
 * @param pendingReload a detected configuration change that was not applied, null if none
 */
public record NodeView(
    NodeInfo info,
    List<ElectionView> elections,
    List<RuleCoverage> rules,
    List<FenceView> fences,
    List<Transition> transitions,
    @Nullable PendingReload pendingReload) {

  /** False once an engine died or a rule failed to weave. */
  public boolean isHealthy() {
    return elections.stream().allMatch(election -> election.health().failure() == null)
        && rules.stream().noneMatch(rule -> rule.state() == RuleState.FAILED);
  }

  /** Whether every store has responded once and this node may campaign in every election. */
  public boolean isParticipating() {
    return elections.stream()
        .allMatch(election -> election.store().answered() && election.health().campaigning());
  }

  /** Whether this node may act in all its elections. */
  public boolean mayAct() {
    return elections.stream().allMatch(ElectionView::mayAct);
  }

  /**
   * A change of the configuration files that was detected but not applied, so that the active rules
   * differ from the files. The public status shows it, so it contains no configuration values
   * except rule ids.
   *
   * @param since when the change was detected
   * @param files the files that differ from the active configuration
   * @param rules the ids of the rules that it would disarm; empty if it was refused for another
   *     reason
   * @param why what is wrong, and what to do about it
   */
  public record PendingReload(Instant since, List<String> files, List<String> rules, String why) {
    public PendingReload {
      files = List.copyOf(files);
      rules = List.copyOf(rules);
    }
  }
}
