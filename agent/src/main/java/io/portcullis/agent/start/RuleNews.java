package io.portcullis.agent.start;

import io.portcullis.rules.Rule;
import io.portcullis.rules.RuleBook;
import io.portcullis.rules.RuleCoverage;
import io.portcullis.rules.RuleListener;
import io.portcullis.rules.RuleState;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says in the log what becomes of rules: once when a state changes, once when a rule's class has
 * not come for a minute, and now and then how many calls were refused.
 */
final class RuleNews implements RuleListener {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");
  private static final Duration LONG_PENDING = Duration.ofMinutes(1);
  private static final Duration BETWEEN_REFUSALS = Duration.ofSeconds(10);

  private final AgentThread thread;
  private final Set<String> observing;
  private final Map<String, Long> toldRefusals = new HashMap<>();

  /**
   * News told on {@code thread}.
   *
   * @param observing the ids of rules whose calls are counted and never refused
   */
  RuleNews(AgentThread thread, Set<String> observing) {
    this.thread = thread;
    this.observing = Set.copyOf(observing);
  }

  /** Called in the middle of loading a class: the news is only handed on here. */
  @Override
  public void changed(Rule rule, RuleState state, String hint) {
    thread.soon(() -> tell(rule.id(), state, hint));
  }

  private static void tell(String rule, RuleState state, String hint) {
    if (state == RuleState.ARMED) {
      LOG.info("portcullis rule={} state={}{}", rule, state, quoted(hint));
    } else {
      LOG.warn("portcullis rule={} state={}{}", rule, state, quoted(hint));
    }
  }

  private static String quoted(String hint) {
    return hint.isEmpty() ? "" : " hint=\"" + hint + "\"";
  }

  /** Looks after {@code book} from now on. */
  void watch(RuleBook book) {
    thread.after(LONG_PENDING, () -> tellPending(book));
    thread.every(BETWEEN_REFUSALS, () -> book.coverage().forEach(this::tellRefusals));
  }

  private static void tellPending(RuleBook book) {
    for (RuleCoverage rule : book.coverage()) {
      if (rule.state() == RuleState.PENDING) {
        LOG.warn(
            "portcullis rule={} state=PENDING hint=\"no class that {} means has been loaded for"
                + " {} s; it gates nothing so far. If the class is loaded later, this mends itself;"
                + " else correct the rule's match\"",
            rule.id(),
            rule.match(),
            LONG_PENDING.toSeconds());
      }
    }
  }

  private void tellRefusals(RuleCoverage rule) {
    long before = toldRefusals.getOrDefault(rule.id(), 0L);
    if (rule.blocked() > before) {
      toldRefusals.put(rule.id(), rule.blocked());
      LOG.info(
          "portcullis rule={} {} in the last {} s: {}, in all: {}",
          rule.id(),
          observing.contains(rule.id()) ? "calls only observed" : "calls refused",
          BETWEEN_REFUSALS.toSeconds(),
          rule.blocked() - before,
          rule.blocked());
    }
  }
}
