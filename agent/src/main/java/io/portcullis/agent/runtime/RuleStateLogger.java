package io.portcullis.agent.runtime;

import io.portcullis.rules.coverage.RuleCoverage;
import io.portcullis.rules.coverage.RuleListener;
import io.portcullis.rules.coverage.RuleState;
import io.portcullis.rules.plan.Rule;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says in the log what becomes of rules: once when a state changes, once when a rule's class has
 * not come for a minute, and now and then how many calls were refused.
 */
final class RuleStateLogger implements RuleListener {
  private static final Duration LONG_PENDING = Duration.ofMinutes(1);
  private static final Duration BETWEEN_REFUSALS = Duration.ofSeconds(10);

  private final AgentThread thread;
  private final Duration longPending;
  private final Logger log;
  private final Map<String, Long> toldRefusals = new HashMap<>();

  /** News told on {@code thread}. */
  RuleStateLogger(AgentThread thread) {
    this(thread, LONG_PENDING, LoggerFactory.getLogger("portcullis"));
  }

  /**
   * @param longPending after so long a rule whose class has not come is complained of
   * @param log where news are told
   */
  RuleStateLogger(AgentThread thread, Duration longPending, Logger log) {
    this.thread = thread;
    this.longPending = longPending;
    this.log = log;
  }

  /** Called in the middle of loading a class: the news is only handed on here. */
  @Override
  public void changed(Rule rule, RuleState state, String hint) {
    thread.soon(() -> tell(rule.id(), state, hint));
  }

  private void tell(String rule, RuleState state, String hint) {
    if (state == RuleState.ARMED) {
      log.info("portcullis rule={} state={}{}", rule, state, quoted(hint));
    } else {
      log.warn("portcullis rule={} state={}{}", rule, state, quoted(hint));
    }
  }

  private static String quoted(String hint) {
    return hint.isEmpty() ? "" : " hint=\"" + hint + "\"";
  }

  /**
   * Looks after the rules in force from now on.
   *
   * @param observing the ids of those whose calls are counted and never refused
   */
  void watch(Supplier<List<RuleCoverage>> rules, Supplier<Set<String>> observing) {
    thread.after(longPending, () -> tellPending(rules.get()));
    thread.every(BETWEEN_REFUSALS, () -> tellRefusals(rules.get(), observing.get()));
  }

  private void tellRefusals(List<RuleCoverage> rules, Set<String> observing) {
    rules.forEach(rule -> tellRefusals(rule, observing.contains(rule.id())));
  }

  private void tellPending(List<RuleCoverage> rules) {
    for (RuleCoverage rule : rules) {
      if (rule.state() == RuleState.PENDING) {
        log.warn(
            "portcullis rule={} state=PENDING hint=\"no class with a method that {} means has been"
                + " loaded for {} s; it gates nothing so far. If one is loaded later, this mends"
                + " itself; else correct the rule's match{}\"",
            rule.id(),
            rule.match(),
            longPending.toSeconds(),
            rule.hint().isEmpty() ? "" : ". Seen so far: " + rule.hint());
      }
    }
  }

  private void tellRefusals(RuleCoverage rule, boolean observed) {
    long before = toldRefusals.getOrDefault(rule.id(), 0L);
    toldRefusals.put(rule.id(), rule.blocked());
    if (rule.blocked() > before) {
      log.info(
          "portcullis rule={} {} in the last {} s: {}, in all: {}",
          rule.id(),
          observed ? "calls only observed" : "calls refused",
          BETWEEN_REFUSALS.toSeconds(),
          rule.blocked() - before,
          rule.blocked());
    }
  }
}
