package io.portcullis.rules;

import io.portcullis.gate.ElectionGate;
import io.portcullis.rules.coverage.InstalledRules;
import io.portcullis.rules.coverage.InstalledRules.RefusalWrapping;
import io.portcullis.rules.coverage.RuleCoverage;
import io.portcullis.rules.plan.Rule;
import io.portcullis.rules.spec.RuleSpec;
import io.portcullis.rules.weave.WeaveFailures.WeaveFailure;
import io.portcullis.rules.weave.Weaver;
import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import net.bytebuddy.agent.ByteBuddyAgent;
import org.jspecify.annotations.Nullable;

/** Rules of one test, woven into this JVM until the fixture is closed. */
public final class WeavingFixture implements AutoCloseable {
  public static final Instrumentation INSTRUMENTATION = ByteBuddyAgent.install();

  public final ElectionGate gate = ElectionGate.forTrial("writer");
  public final ElectionGate otherGate = ElectionGate.forTrial("other");
  public final ConcurrentLinkedQueue<String> news = new ConcurrentLinkedQueue<>();
  public final ConcurrentLinkedQueue<WeaveFailure> failures = new ConcurrentLinkedQueue<>();
  public final InstalledRules book;
  public final Weaver weaver;

  private WeavingFixture(List<Rule> rules) {
    book =
        InstalledRules.install(
            rules,
            election -> election.equals("other") ? otherGate : gate,
            RefusalWrapping.NONE,
            (rule, state, hint) -> news.add(rule.id() + " " + state));
    weaver = new Weaver(book, failures::add, loader -> false);
    INSTRUMENTATION.addTransformer(weaver, true);
  }

  public static WeavingFixture of(String... matches) {
    return of(rules(matches));
  }

  public static WeavingFixture of(List<Rule> rules) {
    return new WeavingFixture(rules);
  }

  public static List<Rule> rules(String... matches) {
    List<Rule> rules = new ArrayList<>();
    for (String match : matches) {
      rules.add(rule("rule-" + rules.size(), match, Map.of()));
    }
    return rules;
  }

  public static Rule rule(String id, String match, Map<String, Object> options) {
    return Rule.of(new RuleSpec(id, match, "writer", "throw", options, false), false);
  }

  public static Rule observing(String id, String match, Map<String, Object> options) {
    return Rule.of(new RuleSpec(id, match, "writer", "throw", options, true), false);
  }

  /** One rule with this action. */
  public static WeavingFixture acting(
      String action, String match, Map<String, @Nullable Object> options) {
    return of(
        List.of(Rule.of(new RuleSpec("acting", match, "writer", action, options, false), false)));
  }

  public void open() {
    open(gate);
  }

  public static void open(ElectionGate gate) {
    gate.open(1, System.nanoTime() + TimeUnit.HOURS.toNanos(1));
  }

  public RuleCoverage coverage() {
    return book.coverage().get(0);
  }

  @Override
  public void close() {
    INSTRUMENTATION.removeTransformer(weaver);
  }
}
