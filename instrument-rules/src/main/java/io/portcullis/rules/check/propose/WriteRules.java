package io.portcullis.rules.check.propose;

import io.portcullis.rules.check.classpath.ClassPath;
import io.portcullis.rules.check.classpath.ClassPathHierarchy;
import io.portcullis.rules.check.propose.Proposal.RuleProposal;
import io.portcullis.rules.check.report.RuleCheckRun.RuleFindings;
import io.portcullis.rules.check.writes.WritePaths;
import io.portcullis.rules.check.writes.WritePaths.PathStep;
import io.portcullis.rules.check.writes.WritePaths.UngatedWrite;
import io.portcullis.rules.match.MethodShape;
import io.portcullis.rules.plan.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Proposes rules for the writes that no other rule gates, one for each method chosen. */
final class WriteRules {
  /** Maximum number of rules; the writes of further methods are reported as missed. */
  private static final int MAX_RULES = 40;

  /**
   * Maximum number of passes. Each pass may uncover writes that a method chosen before only seemed
   * to be the way to.
   */
  private static final int MAX_PASSES = 5;

  private final ClassPath classPath;
  private final ClassPathHierarchy hierarchy;
  private final RuleTrial trial;
  private final WriteRuleChooser chooser;
  private final ExceptionTypes exceptions;
  private final Set<String> tried = new HashSet<>();
  private final Set<String> ids = new HashSet<>();

  WriteRules(ClassPath classPath, ClassPathHierarchy hierarchy, RuleTrial trial) {
    this.classPath = classPath;
    this.hierarchy = hierarchy;
    this.trial = trial;
    this.chooser = new WriteRuleChooser(hierarchy);
    this.exceptions = new ExceptionTypes(classPath, hierarchy);
  }

  static String counted(int count, String singular, String plural) {
    return count == 1 ? "1 " + singular : count + " " + plural;
  }

  /** Adds rules for some writes, and returns those of them that are still not gated. */
  List<String> propose(List<RuleProposal> rules, Predicate<UngatedWrite> wanted) {
    rules.forEach(rule -> ids.add(rule.id()));
    List<UngatedWrite> open = open(wanted);
    for (int pass = 0; pass < MAX_PASSES; pass++) {
      int before = rules.size();
      for (ChosenMethod method : choose(open)) {
        if (rules.size() < MAX_RULES) {
          tryRule(method.step(), method.writes(), rules);
        }
      }
      if (rules.size() == before) {
        break;
      }
      open = open(wanted);
    }
    return open.stream().map(this::missed).toList();
  }

  /** The writes that no rule gates yet. */
  List<UngatedWrite> open(Predicate<UngatedWrite> wanted) {
    return WritePaths.of(classPath, hierarchy, trial.gates()).ungated().stream()
        .filter(wanted)
        .toList();
  }

  /** Whether a write can be made while the application serves, as far as its calls show. */
  boolean happensAfterStart(UngatedWrite write) {
    PathStep step = chooser.choose(write);
    return step != null && !step.atStart();
  }

  /** A method to gate, and the writes to which it leads. */
  private record ChosenMethod(PathStep step, List<UngatedWrite> writes) {}

  private Collection<ChosenMethod> choose(List<UngatedWrite> open) {
    Map<String, ChosenMethod> chosen = new LinkedHashMap<>();
    for (UngatedWrite write : open) {
      PathStep step = chooser.choose(write);
      if (step != null && !tried.contains(step.toString())) {
        chosen
            .computeIfAbsent(step.toString(), key -> new ChosenMethod(step, new ArrayList<>()))
            .writes()
            .add(write);
      }
    }
    return chosen.values();
  }

  private void tryRule(PathStep step, List<UngatedWrite> writes, List<RuleProposal> rules) {
    tried.add(step.toString());
    String match = match(step);
    String action = chooser.isTimerTask(step) ? "skip" : "throw";
    String id = id(step);
    Rule rule = RuleTrial.rule(id, match, action, Duration.ZERO);
    RuleFindings findings = trial.findings(List.of(rule)).get(0);
    if (findings.gated().isEmpty() || !findings.refusals().isEmpty()) {
      return;
    }
    ids.add(id);
    trial.accept(List.of(rule));
    rules.add(
        new RuleProposal(
            id,
            match,
            action,
            Duration.ZERO,
            step.atStart(),
            action.equals("throw") ? exceptions.declared(step.method()) : List.of(),
            reasons(step, writes)));
  }

  private static List<String> reasons(PathStep step, List<UngatedWrite> writes) {
    UngatedWrite first = writes.get(0);
    List<String> reasons = new ArrayList<>();
    reasons.add(
        "leads to %s, such as %s [%s] at %s"
            .formatted(
                counted(writes.size(), "write", "writes"),
                first.called(),
                first.api(),
                first.at()));
    if (step.atStart()) {
      reasons.add(
          "It may also run at start: watch whether calls are observed there, because a standby"
              + " that needs them would not start.");
    } else if (step.callback()) {
      reasons.add("A framework calls it, so it may also serve reads: watch what is observed.");
    }
    return reasons;
  }

  /** All overloads if there is only one, so that the rule is short and survives a new parameter. */
  private static String match(PathStep step) {
    MethodShape method = step.method();
    long overloads =
        step.type().shape().methods().stream()
            .filter(other -> other.name().equals(method.name()) && !other.isSynthetic())
            .count();
    return step.type().name()
        + "#"
        + (overloads == 1 ? method.name() + "(..)" : method.signature());
  }

  /** A readable id: the simple names of class and method, such as {@code ledger-append}. */
  private String id(PathStep step) {
    String type = step.type().name();
    String name =
        (type.substring(type.lastIndexOf('.') + 1) + "-" + step.method().name())
            .replaceAll("([a-z0-9])([A-Z])", "$1-$2")
            .replaceAll("[^A-Za-z0-9._-]", "-")
            .toLowerCase(Locale.ROOT);
    String id = name;
    for (int number = 2; ids.contains(id); number++) {
      id = name + "-" + number;
    }
    return id;
  }

  private String missed(UngatedWrite write) {
    PathStep step = chooser.choose(write);
    String why =
        step == null
            ? "it is called only by start-up code, constructors or tasks"
            : tried.contains(step.toString())
                ? step + " can't be gated, or is not the only way to it"
                : "there are more than " + MAX_RULES + " rules already";
    return write + ": " + why;
  }
}
