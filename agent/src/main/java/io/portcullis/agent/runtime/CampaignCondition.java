package io.portcullis.agent.runtime;

import io.portcullis.agent.node.Participant;
import io.portcullis.rules.coverage.InstalledRules;
import io.portcullis.rules.coverage.RuleCoverage;
import io.portcullis.rules.coverage.RuleState;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an election waits for before it campaigns: rules that must be armed, or a time that has
 * passed. If one of them is armed no longer, be it that its class is gone, the election stands back
 * and waits again.
 *
 * @param requiredRules the ids of those rules
 * @param after campaign after this long in any case; zero: wait for the rules however long it takes
 */
record CampaignCondition(List<String> requiredRules, Duration after) {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");
  private static final Duration PAUSE = Duration.ofMillis(100);

  /** How often to look whether all is as it was. */
  private static final Duration GLANCE = Duration.ofMillis(500);

  /** Whether there is anything to wait for. */
  boolean mustWait() {
    return !requiredRules.isEmpty();
  }

  /**
   * Lets {@code participant} campaign once the wait is over, and as long as the rules are armed.
   */
  void watch(Participant participant, Supplier<InstalledRules> rules, AgentThread thread) {
    LOG.info(
        "portcullis election={} campaigns once the rules {} are armed",
        participant.name(),
        requiredRules);
    await(participant, rules, thread);
  }

  private void await(Participant participant, Supplier<InstalledRules> rules, AgentThread thread) {
    look(participant, rules, thread, System.nanoTime() + after.toNanos());
  }

  private void look(
      Participant participant, Supplier<InstalledRules> rules, AgentThread thread, long endNanos) {
    boolean timeIsUp = !after.isZero() && endNanos - System.nanoTime() <= 0;
    if (unarmed(rules.get()).isEmpty()) {
      participant.allowCampaign();
      thread.after(GLANCE, () -> glance(participant, rules, thread));
    } else if (timeIsUp) {
      LOG.warn(
          "portcullis election={} campaigns although not all of the rules {} are armed after {}",
          participant.name(),
          requiredRules,
          after);
      participant.allowCampaign();
    } else {
      participant.settleIfInVain();
      thread.after(PAUSE, () -> look(participant, rules, thread, endNanos));
    }
  }

  private void glance(Participant participant, Supplier<InstalledRules> rules, AgentThread thread) {
    List<String> unarmed = unarmed(rules.get());
    if (unarmed.isEmpty()) {
      thread.after(GLANCE, () -> glance(participant, rules, thread));
      return;
    }
    LOG.warn(
        "portcullis election={} stands back until the rules {} are armed again",
        participant.name(),
        unarmed);
    participant.forbidCampaign("the required rules " + unarmed + " are not armed any more");
    await(participant, rules, thread);
  }

  private List<String> unarmed(InstalledRules book) {
    Set<String> armed =
        book.coverage().stream()
            .filter(rule -> rule.state() == RuleState.ARMED)
            .map(RuleCoverage::id)
            .collect(Collectors.toSet());
    return requiredRules.stream().filter(id -> !armed.contains(id)).toList();
  }
}
