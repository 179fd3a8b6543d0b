package io.portcullis.rules.check.report;

import io.portcullis.rules.check.classpath.ClassPath;
import io.portcullis.rules.check.classpath.Hierarchy;
import io.portcullis.rules.check.classpath.OfflineClass;
import io.portcullis.rules.check.classpath.ReadProblem;
import io.portcullis.rules.match.MatchResult;
import io.portcullis.rules.plan.ClassPlan;
import io.portcullis.rules.plan.Rule;
import java.util.ArrayList;
import java.util.List;

/** Goes over a class path with rules, as the weaver would when its classes are loaded. */
public final class RuleCheckRun {
  private final ClassPath classPath;
  private final Hierarchy hierarchy;
  private final GatedMethods gates = new GatedMethods();

  public RuleCheckRun(ClassPath classPath, Hierarchy hierarchy) {
    this.classPath = classPath;
    this.hierarchy = hierarchy;
  }

  /** What each rule comes to, in their order. */
  public List<RuleFindings> of(List<Rule> rules) {
    List<Draft> drafts = rules.stream().map(this::draft).toList();
    for (Draft draft : drafts) {
      if (!draft.rule.observe()) {
        gates.add(draft.gated);
      }
    }
    return drafts.stream().map(this::findings).toList();
  }

  /** What the rules that were gone over gate together. */
  public GatedMethods gates() {
    return gates;
  }

  /** A rule with what it gates, before it is known what the others do. */
  private static final class Draft {
    final Rule rule;
    final List<GatedMethod> gated = new ArrayList<>();
    final List<UnmatchedRuleReport.Miss> inVain = new ArrayList<>();
    final List<String> inDoubt = new ArrayList<>();
    final List<String> traps = new ArrayList<>();
    final List<String> refusals = new ArrayList<>();

    Draft(Rule rule) {
      this.rule = rule;
    }
  }

  private Draft draft(Rule rule) {
    Draft draft = new Draft(rule);
    for (OfflineClass type : classPath.classes()) {
      plan(draft, type);
    }
    for (ReadProblem flaw : classPath.flaws()) {
      if (!flaw.className().isEmpty() && rule.match().type().matches(flaw.className())) {
        draft.refusals.add(flaw.className() + ": " + flaw.text() + " (" + flaw.place() + ")");
      }
    }
    return draft;
  }

  private void plan(Draft draft, OfflineClass type) {
    ClassPlan plan = ClassPlan.of(draft.rule, type.shape(), classPath, classPath);
    MatchResult meaning = plan.meaning();
    if (!meaning.meansClass()) {
      if (type.own() && !meaning.unknown().isEmpty()) {
        draft.inDoubt.add(String.join(", ", meaning.unknown()) + " above " + type.name());
      }
      return;
    }
    plan.gates().forEach(gate -> draft.gated.add(new GatedMethod(type, gate.method())));
    for (ClassPlan.Obstacle obstacle : plan.obstacles()) {
      draft.refusals.add(
          "%s#%s: %s"
              .formatted(
                  type.name(), obstacle.method().signature(), obstacle.problem().getMessage()));
    }
    if (!meaning.trap().isEmpty()) {
      draft.traps.add(meaning.trap());
    }
    if (plan.gates().isEmpty() && plan.obstacles().isEmpty()) {
      draft.inVain.add(new UnmatchedRuleReport.Miss(type, plan.hint()));
    }
  }

  private RuleFindings findings(Draft draft) {
    Rule rule = draft.rule;
    List<String> warnings = new ArrayList<>();
    if (draft.gated.isEmpty() && draft.refusals.isEmpty()) {
      warnings.add(new UnmatchedRuleReport(classPath, hierarchy, rule.match()).text(draft.inVain));
    }
    warnings.addAll(
        GroupedWarnings.by(
            " is not on the class path, so nobody can tell whether the rule means the class",
            draft.inDoubt));
    if (!rule.observe()) {
      warnings.addAll(GroupedWarnings.by("", draft.traps));
      warnings.addAll(RiskyMethods.KNOWN.in(rule, draft.gated, hierarchy));
      warnings.addAll(new OverridingMethods(hierarchy, gates).of(draft.gated));
      return new RuleFindings(rule, draft.gated, draft.refusals, warnings);
    }
    draft.refusals.forEach(text -> warnings.add("can't even be observed: " + text));
    return new RuleFindings(rule, draft.gated, List.of(), warnings);
  }
}
