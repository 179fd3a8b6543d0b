package io.portcullis.agent.start;

import io.portcullis.agent.node.Participant;
import io.portcullis.rules.coverage.RuleBook;
import io.portcullis.rules.coverage.RuleCoverage;
import io.portcullis.rules.coverage.RuleState;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an election waits for before it campaigns: rules that must be armed, or a time that has
 * passed.
 *
 * @param requiredRules the ids of those rules
 * @param after campaign after this long in any case; zero: wait for the rules however long it takes
 */
record CampaignWait(List<String> requiredRules, Duration after) {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");
  private static final Duration PAUSE = Duration.ofMillis(100);

  /** Whether there is anything to wait for. */
  boolean mustWait() {
    return !requiredRules.isEmpty();
  }

  /** Lets {@code participant} campaign once the wait is over. */
  void watch(Participant participant, Supplier<RuleBook> rules, AgentThread thread) {
    LOG.info(
        "portcullis election={} campaigns once the rules {} are armed",
        participant.name(),
        requiredRules);
    long endNanos = System.nanoTime() + after.toNanos();
    look(participant, rules, thread, endNanos);
  }

  private void look(
      Participant participant, Supplier<RuleBook> rules, AgentThread thread, long endNanos) {
    boolean timeIsUp = !after.isZero() && endNanos - System.nanoTime() <= 0;
    if (allArmed(rules.get())) {
      participant.allowCampaign();
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

  private boolean allArmed(RuleBook book) {
    return book.coverage().stream()
        .filter(rule -> rule.state() == RuleState.ARMED)
        .map(RuleCoverage::id)
        .toList()
        .containsAll(requiredRules);
  }
}
