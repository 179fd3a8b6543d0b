package io.portcullis.rules.coverage;

import io.portcullis.gate.Checkpoint;
import io.portcullis.gate.ElectionGate;
import io.portcullis.gate.Gate;
import io.portcullis.gate.Refusal;
import io.portcullis.gate.Refusal.Verdict;
import io.portcullis.rules.coverage.RuleCoverage.RuleState;
import io.portcullis.rules.plan.Rule;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The rules of this JVM, each with its checkpoint at the gate. */
public final class InstalledRules {
  private static final Refusal OBSERVE = (checkpoint, sinceNanos) -> Verdict.RUN;

  private final List<InstalledRule> rules;
  private final Canary canary;

  private InstalledRules(List<InstalledRule> rules, Canary canary) {
    this.rules = List.copyOf(rules);
    this.canary = canary;
  }

  /**
   * Gives each rule its checkpoint, before any class can be woven with it.
   *
   * @param elections the gate of an election, by name
   * @throws IllegalArgumentException if two rules have the same id
   */
  public static InstalledRules install(
      List<Rule> rules,
      Function<String, ElectionGate> elections,
      RefusalWrapping wrapping,
      RuleListener listener) {
    return new InstalledRules(
        installed(rules, rule -> newCheckpoint(rule, elections, wrapping), listener),
        Canary.install());
  }

  /**
   * The rules that replace these. An unchanged rule keeps its checkpoint, and with it its counts;
   * all others get new ones.
   *
   * @throws IllegalArgumentException if two rules have the same id
   */
  public InstalledRules followedBy(
      List<Rule> next,
      Function<String, ElectionGate> elections,
      RefusalWrapping wrapping,
      RuleListener listener) {
    Function<Rule, Checkpoint> checkpoints =
        rule ->
            rules.stream()
                .filter(before -> before.rule().isSameAs(rule))
                .map(InstalledRule::checkpoint)
                .findFirst()
                .orElseGet(() -> newCheckpoint(rule, elections, wrapping));
    return new InstalledRules(installed(next, checkpoints, listener), canary);
  }

  /**
   * The same rules at the same checkpoints, for a dry run: not yet woven and without listeners.
   * They record which methods they gate.
   */
  public InstalledRules unused() {
    return new InstalledRules(rules.stream().map(InstalledRule::onTrial).toList(), canary);
  }

  /**
   * Which of these rules {@code next} would remove or weaken, according to the configuration alone;
   * see {@link #ungatedBy} for methods that another match leaves out.
   */
  public List<DisarmedRule> disarmedBy(List<Rule> next) {
    return rules.stream()
        .map(InstalledRule::rule)
        .flatMap(
            before ->
                DisarmedRule.between(
                    before,
                    next.stream().filter(after -> after.id().equals(before.id())).findFirst())
                    .stream())
        .toList();
  }

  /** Whether {@code next} lacks one of the rules that refuse calls, or has it in another form. */
  public boolean changesIn(List<Rule> next) {
    return rules.stream()
        .map(InstalledRule::rule)
        .filter(rule -> !rule.observe())
        .anyMatch(rule -> next.stream().noneMatch(rule::isSameAs));
  }

  /**
   * Which of these rules gate methods that their successors in {@code after} do not. Both must have
   * been woven into the same classes in a dry run, see {@link #unused}.
   */
  public List<DisarmedRule> ungatedBy(InstalledRules after) {
    List<DisarmedRule> disarmed = new ArrayList<>();
    for (InstalledRule before : rules) {
      if (!before.rule().observe()) {
        after.rules.stream()
            .filter(next -> next.rule().id().equals(before.rule().id()))
            .flatMap(next -> before.ungatedBy(next).stream())
            .forEach(disarmed::add);
      }
    }
    return disarmed;
  }

  private static Checkpoint newCheckpoint(
      Rule rule, Function<String, ElectionGate> elections, RefusalWrapping wrapping) {
    Refusal refusal = rule.observe() ? OBSERVE : rule.action().refusal();
    return Gate.addCheckpoint(
        rule.id(), elections.apply(rule.election()), wrapping.wrap(rule, refusal));
  }

  private static List<InstalledRule> installed(
      List<Rule> rules, Function<Rule, Checkpoint> checkpoints, RuleListener listener) {
    Set<String> ids = new HashSet<>();
    for (Rule rule : rules) {
      if (!ids.add(rule.id())) {
        throw new IllegalArgumentException(
            "Two rules have the id '%s'. Give each its own.".formatted(rule.id()));
      }
    }
    List<InstalledRule> installed = new ArrayList<>();
    for (Rule rule : rules) {
      installed.add(new InstalledRule(rule, checkpoints.apply(rule), listener));
    }
    return installed;
  }

  /** The state of each rule, in their order. */
  public List<RuleCoverage> coverage() {
    return rules.stream().map(rule -> rule.coverage(hasArmedAlternative(rule))).toList();
  }

  private boolean hasArmedAlternative(InstalledRule rule) {
    return rules.stream()
        .filter(other -> other.rule().replaces(rule.rule()))
        .anyMatch(other -> other.state() == RuleState.ARMED);
  }

  /** The rules that gate nothing, although their predecessors of the same id did. */
  public List<Rule> disarmedSince(InstalledRules before) {
    Set<String> armed = before.armed();
    Set<String> still = armed();
    return rules.stream()
        .map(InstalledRule::rule)
        .filter(rule -> armed.contains(rule.id()) && !still.contains(rule.id()))
        .toList();
  }

  private Set<String> armed() {
    return coverage().stream()
        .filter(rule -> rule.state() == RuleState.ARMED)
        .map(RuleCoverage::id)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The ids of rules that were in {@code before} and are not in these. */
  public List<String> removedSince(InstalledRules before) {
    return before.ids(rule -> find(rule.id()).isEmpty());
  }

  /** Summary for the log: which rules were added, removed and changed. */
  public String changesSince(InstalledRules before) {
    return "added %s, removed %s, changed %s, kept %d"
        .formatted(
            ids(rule -> before.find(rule.id()).isEmpty()),
            removedSince(before),
            ids(rule -> before.find(rule.id()).filter(old -> !old.isSameAs(rule)).isPresent()),
            ids(rule -> before.find(rule.id()).filter(rule::isSameAs).isPresent()).size());
  }

  private List<String> ids(Predicate<Rule> wanted) {
    return rules.stream().map(InstalledRule::rule).filter(wanted).map(Rule::id).toList();
  }

  private Optional<Rule> find(String id) {
    return rules.stream().map(InstalledRule::rule).filter(rule -> rule.id().equals(id)).findFirst();
  }

  /** The self-test of weaving; its rules are not part of the coverage. */
  public Canary canary() {
    return canary;
  }

  /** The rules to weave, with the canary's at the end. */
  public List<InstalledRule> toWeave() {
    List<InstalledRule> all = new ArrayList<>(rules);
    all.addAll(canary.rules());
    return List.copyOf(all);
  }

  /**
   * Is notified when a rule's state changes. It is called on a thread of the application while that
   * loads a class: it must not wait, lock, or load classes of the application, but pass the event
   * to its own thread.
   */
  @FunctionalInterface
  public interface RuleListener {
    void changed(Rule rule, RuleState state, String hint);
  }

  /**
   * Adds behaviour of the agent to a rule's refusal: a wait while the store has not responded yet,
   * a log line. It must not turn a refusal into {@link Refusal.Verdict#RUN} for a rule in force.
   */
  @FunctionalInterface
  public interface RefusalWrapping {
    /** Adds nothing. */
    RefusalWrapping NONE = (rule, refusal) -> refusal;

    Refusal wrap(Rule rule, Refusal refusal);
  }
}
