package io.portcullis.rules;

import io.portcullis.gate.ElectionGate;
import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import net.bytebuddy.agent.ByteBuddyAgent;
import org.jspecify.annotations.Nullable;

/** Rules of a test's own, woven into this JVM until the trial is closed. */
final class Trial implements AutoCloseable {
  static final Instrumentation INSTRUMENTATION = ByteBuddyAgent.install();

  final ElectionGate gate = ElectionGate.forTrial("writer");
  final ElectionGate otherGate = ElectionGate.forTrial("other");
  final ConcurrentLinkedQueue<String> news = new ConcurrentLinkedQueue<>();
  final ConcurrentLinkedQueue<WeaveFailure> failures = new ConcurrentLinkedQueue<>();
  final RuleBook book;
  final Weaver weaver;

  private Trial(List<Rule> rules) {
    book =
        RuleBook.install(
            rules,
            election -> election.equals("other") ? otherGate : gate,
            RefusalWrapping.NONE,
            (rule, state, hint) -> news.add(rule.id() + " " + state));
    weaver = new Weaver(book, failures::add, loader -> false);
    INSTRUMENTATION.addTransformer(weaver, true);
  }

  static Trial of(String... matches) {
    return of(rules(matches));
  }

  static Trial of(List<Rule> rules) {
    return new Trial(rules);
  }

  static List<Rule> rules(String... matches) {
    List<Rule> rules = new ArrayList<>();
    for (String match : matches) {
      rules.add(rule("rule-" + rules.size(), match, Map.of()));
    }
    return rules;
  }

  static Rule rule(String id, String match, Map<String, Object> options) {
    return Rule.of(new RuleSpec(id, match, "writer", "throw", options, false), false);
  }

  static Rule observing(String id, String match, Map<String, Object> options) {
    return Rule.of(new RuleSpec(id, match, "writer", "throw", options, true), false);
  }

  /** One rule with this action. */
  static Trial acting(String action, String match, Map<String, @Nullable Object> options) {
    return of(
        List.of(Rule.of(new RuleSpec("acting", match, "writer", action, options, false), false)));
  }

  void open() {
    open(gate);
  }

  static void open(ElectionGate gate) {
    gate.open(1, System.nanoTime() + TimeUnit.HOURS.toNanos(1));
  }

  RuleCoverage coverage() {
    return book.coverage().get(0);
  }

  @Override
  public void close() {
    INSTRUMENTATION.removeTransformer(weaver);
  }
}
