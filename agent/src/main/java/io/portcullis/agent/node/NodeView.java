package io.portcullis.agent.node;

import io.portcullis.agent.node.TransitionHistory.Transition;
import io.portcullis.rules.coverage.RuleCoverage;
import io.portcullis.rules.coverage.RuleCoverage.RuleState;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * This node at one moment.
 *
 * @param node its identity
 * @param service the service it belongs to
 * @param version the agent's version
 * @param mode enforce, observe or off
 * @param elections its elections, in the order of the configuration
 * @param rules its rules
 * @param fences its fences, one entry for each database
 * @param transitions the newest transitions, oldest first
 * @param pendingReload a change of its configuration that was seen and not taken up, null if none
 */
public record NodeView(
    String node,
    String service,
    String version,
    String mode,
    List<ElectionView> elections,
    List<RuleCoverage> rules,
    List<FenceView> fences,
    List<Transition> transitions,
    @Nullable PendingReload pendingReload) {

  /** False once an engine died or a rule failed to weave. */
  public boolean isHealthy() {
    return elections.stream().allMatch(election -> election.failure() == null)
        && rules.stream().noneMatch(rule -> rule.state() == RuleState.FAILED);
  }

  /** Whether every store has answered once and nothing keeps this node from campaigning. */
  public boolean isParticipating() {
    return elections.stream().allMatch(election -> election.answered() && election.campaigning());
  }

  /** Whether this node may act in all its elections. */
  public boolean mayAct() {
    return elections.stream().allMatch(ElectionView::mayAct);
  }

  /**
   * A change of the configuration's files that was seen and not taken up, so that the rules in
   * force differ from the files. It is shown to anybody who may see the status, so it quotes no
   * value of the configuration but ids of rules.
   *
   * @param since when it was seen
   * @param files the files that differ from those in force
   * @param rules the ids of the rules that it would disarm; empty if it was refused for another
   *     reason
   * @param why what is wrong, and what to do about it
   */
  public record PendingReload(Instant since, List<String> files, List<String> rules, String why) {
    /** Copies the lists. */
    public PendingReload {
      files = List.copyOf(files);
      rules = List.copyOf(rules);
    }
  }
}
