package io.portcullis.rules.check.report;

import io.portcullis.rules.check.classpath.ClassPath;
import io.portcullis.rules.check.classpath.ClassPath.ReadProblem;
import io.portcullis.rules.check.classpath.ClassPathHierarchy;
import io.portcullis.rules.check.classpath.ListFile;
import io.portcullis.rules.check.classpath.OfflineClass;
import io.portcullis.rules.check.report.GatedMethods.GatedMethod;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.EditDistance;
import io.portcullis.rules.match.MatchPattern;
import io.portcullis.rules.match.MatchPattern.MatchResult;
import io.portcullis.rules.match.MethodShape;
import io.portcullis.rules.match.TypePattern;
import io.portcullis.rules.plan.ClassPlan;
import io.portcullis.rules.plan.Rule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Applies rules to a class path offline, as the weaver would when the classes are loaded. */
public final class RuleCheckRun {
  private final ClassPath classPath;
  private final ClassPathHierarchy hierarchy;
  private final GatedMethods gates = new GatedMethods();
  private final GatedMethods refusing = new GatedMethods();

  public RuleCheckRun(ClassPath classPath, ClassPathHierarchy hierarchy) {
    this.classPath = classPath;
    this.hierarchy = hierarchy;
  }

  /** Returns the findings for each rule, in the order of the rules. */
  public List<RuleFindings> of(List<Rule> rules) {
    List<FindingsBuilder> drafts = rules.stream().map(this::draft).toList();
    for (FindingsBuilder draft : drafts) {
      if (!draft.rule.observe()) {
        gates.add(draft.gated);
        refusing.add(
            draft.gated.stream()
                .filter(method -> draft.rule.action().mayThrow(method.method()))
                .toList());
      }
    }
    return drafts.stream().map(this::findings).toList();
  }

  /** The methods gated by all rules analysed so far. */
  public GatedMethods gates() {
    return gates;
  }

  /** Those of {@link #gates} whose refused calls may throw. */
  public GatedMethods refusing() {
    return refusing;
  }

  /** Collects the findings for one rule before those of the other rules are known. */
  private static final class FindingsBuilder {
    final Rule rule;
    final List<GatedMethod> gated = new ArrayList<>();
    final List<UnmatchedRuleReport.NearMiss> nearMisses = new ArrayList<>();
    final List<String> unknownSupertypes = new ArrayList<>();
    final List<String> overrideWarnings = new ArrayList<>();
    final List<String> refusals = new ArrayList<>();

    FindingsBuilder(Rule rule) {
      this.rule = rule;
    }
  }

  private FindingsBuilder draft(Rule rule) {
    FindingsBuilder draft = new FindingsBuilder(rule);
    for (OfflineClass type : classPath.classes()) {
      plan(draft, type);
    }
    for (ReadProblem problem : classPath.flaws()) {
      if (!problem.className().isEmpty() && rule.match().type().matches(problem.className())) {
        draft.refusals.add(
            problem.className() + ": " + problem.text() + " (" + problem.place() + ")");
      }
    }
    return draft;
  }

  private void plan(FindingsBuilder draft, OfflineClass type) {
    ClassPlan plan = ClassPlan.of(draft.rule, type.shape(), classPath, classPath);
    MatchResult match = plan.meaning();
    if (!match.meansClass()) {
      List<String> unknown =
          match.unknown().stream().filter(parent -> mayLead(draft.rule, type, parent)).toList();
      if (type.own() && !unknown.isEmpty()) {
        draft.unknownSupertypes.add(
            String.join(", ", unknown) + ", a supertype of " + type.name() + ",");
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
    if (!match.trap().isEmpty()) {
      draft.overrideWarnings.add(match.trap());
    }
    if (plan.gates().isEmpty() && plan.obstacles().isEmpty()) {
      draft.nearMisses.add(new UnmatchedRuleReport.NearMiss(type, plan.hint()));
    }
  }

  /**
   * Whether an unknown supertype could be a subtype of the type that the rule names. An interface
   * never extends a class, so for a class only the chain of superclasses counts.
   */
  private boolean mayLead(Rule rule, OfflineClass type, String unknown) {
    MatchPattern match = rule.match();
    if (match.annotation() != null || !(match.type() instanceof TypePattern.Exact named)) {
      return true;
    }
    ClassShape wanted = classPath.read(named.binaryName());
    return wanted == null || wanted.isInterface() || hierarchy.isSuperclass(unknown, type.shape());
  }

  private RuleFindings findings(FindingsBuilder draft) {
    Rule rule = draft.rule;
    List<String> warnings = new ArrayList<>();
    if (draft.gated.isEmpty() && draft.refusals.isEmpty()) {
      warnings.add(
          new UnmatchedRuleReport(classPath, hierarchy, rule.match()).text(draft.nearMisses));
    }
    warnings.addAll(
        GroupedWarnings.by(
            " is not on the class path, so it is unknown whether the rule matches the class",
            draft.unknownSupertypes));
    if (!rule.observe()) {
      warnings.addAll(GroupedWarnings.by("", draft.overrideWarnings));
      warnings.addAll(RiskyMethods.KNOWN.in(rule, draft.gated, hierarchy));
      warnings.addAll(new OverridingMethods(hierarchy, gates).of(draft.gated));
      return new RuleFindings(rule, draft.gated, draft.refusals, warnings);
    }
    draft.refusals.forEach(text -> warnings.add("can't be observed: " + text));
    return new RuleFindings(rule, draft.gated, List.of(), warnings);
  }

  /** Finds ungated methods that override a gated one, so that calls bypass the gate. */
  static final class OverridingMethods {
    private final ClassPathHierarchy hierarchy;
    private final GatedMethods gates;

    OverridingMethods(ClassPathHierarchy hierarchy, GatedMethods gates) {
      this.hierarchy = hierarchy;
      this.gates = gates;
    }

    List<String> of(List<GatedMethod> gated) {
      Map<String, Collection<OfflineClass>> subtypesByName = new HashMap<>();
      Map<String, String> ungated = new LinkedHashMap<>();
      for (GatedMethod method : gated) {
        if (method.canBeOverridden()) {
          Collection<OfflineClass> subtypes =
              subtypesByName.computeIfAbsent(method.type().name(), hierarchy::subtypes);
          subtypes.forEach(subtype -> addOverrides(method, subtype, ungated));
        }
      }
      return GroupedWarnings.by("", List.copyOf(ungated.values()));
    }

    private void addOverrides(
        GatedMethod gated, OfflineClass subtype, Map<String, String> ungated) {
      for (MethodShape method : subtype.shape().methods()) {
        String key = method.name() + method.descriptor();
        if (method.hasBody() && key.equals(gated.key()) && !gates.has(subtype.name(), key)) {
          ungated.putIfAbsent(
              subtype.name() + key,
              "%s#%s overrides %s and is not gated, unless it calls that method: match it too, or write %s+"
                  .formatted(subtype.name(), method.signature(), gated, gated.type().name()));
        }
      }
    }
  }

  /** Methods whose callers handle exceptions badly, read from {@code traps.txt}. */
  static final class RiskyMethods {
    static final RiskyMethods KNOWN = read();

    /** One line of the file. */
    private record RiskyMethod(String kind, String type, String method, String text) {
      boolean matches(GatedMethod gated, ClassPathHierarchy hierarchy) {
        MethodShape shape = gated.method();
        return switch (kind) {
          case "annotated" -> shape.annotations().contains(type);
          case "returns" -> shape.returnType().equals(type);
          case "takes" -> shape.parameterTypes().contains(type);
          default ->
              shape.name().equals(method)
                  && hierarchy.withSupertypes(gated.type().name()).contains(type)
                  && hierarchy.mayDeclare(type, shape);
        };
      }
    }

    private final List<RiskyMethod> known;

    private RiskyMethods(List<RiskyMethod> known) {
      this.known = List.copyOf(known);
    }

    /** Returns warnings for the gated methods of a rule that are risky to gate. */
    List<String> in(Rule rule, List<GatedMethod> gated, ClassPathHierarchy hierarchy) {
      Map<RiskyMethod, List<String>> found = new LinkedHashMap<>();
      for (GatedMethod method : gated) {
        RiskyMethod risk =
            rule.action().mayThrow(method.method()) ? first(method, hierarchy) : null;
        if (risk != null) {
          found.computeIfAbsent(risk, key -> new ArrayList<>()).add(method.toString());
        }
      }
      List<String> warnings = new ArrayList<>();
      found.forEach(
          (risk, methods) -> warnings.addAll(GroupedWarnings.by(": " + risk.text(), methods)));
      return warnings;
    }

    /** Returns the first match; the file lists specific entries before general ones. */
    private @Nullable RiskyMethod first(GatedMethod method, ClassPathHierarchy hierarchy) {
      for (RiskyMethod risk : known) {
        if (risk.matches(method, hierarchy)) {
          return risk;
        }
      }
      return null;
    }

    private static RiskyMethods read() {
      return new RiskyMethods(
          ListFile.lines(RiskyMethods.class, "traps.txt").stream()
              .map(RiskyMethods::parse)
              .toList());
    }

    private static RiskyMethod parse(String line) {
      String[] halves = line.split(": ", 2);
      String[] words = halves[0].split(" ", 2);
      String[] name = words[1].split("#", 2);
      return new RiskyMethod(words[0], name[0], name.length == 2 ? name[1] : "", halves[1]);
    }
  }

  /** Shortens a warning that applies to many methods. */
  static final class GroupedWarnings {
    private static final int MAX_NAMED = 3;

    private GroupedWarnings() {}

    /** Appends the text to the first few items; the last one also names the number of others. */
    static List<String> by(String text, List<String> all) {
      List<String> some = all.stream().limit(MAX_NAMED).map(item -> item + text).toList();
      if (all.size() <= MAX_NAMED) {
        return some;
      }
      String last = some.get(MAX_NAMED - 1) + " (and " + (all.size() - MAX_NAMED) + " more)";
      return List.of(some.get(0), some.get(1), last);
    }
  }

  /**
   * Findings for one rule on a class path.
   *
   * @param gated the methods that the rule would gate
   * @param refusals problems for which the agent would halt the JVM
   * @param warnings effects that may not be intended
   */
  public record RuleFindings(
      Rule rule, List<GatedMethod> gated, List<String> refusals, List<String> warnings) {
    public RuleFindings {
      gated = List.copyOf(gated);
      refusals = List.copyOf(refusals);
      warnings = List.copyOf(warnings);
    }
  }

  /** Explains why a rule gates nothing on a class path and how its pattern could be corrected. */
  static final class UnmatchedRuleReport {
    private static final int MAX_NAMED = 5;
    private static final int MAX_CLASSES = 3;
    private static final int MAX_EDITS = 2;

    private final ClassPath classPath;
    private final ClassPathHierarchy hierarchy;
    private final MatchPattern match;

    UnmatchedRuleReport(ClassPath classPath, ClassPathHierarchy hierarchy, MatchPattern match) {
      this.classPath = classPath;
      this.hierarchy = hierarchy;
      this.match = match;
    }

    /**
     * A class that the pattern matches without gating any of its methods.
     *
     * @param hint the methods that the class has instead
     */
    record NearMiss(OfflineClass type, String hint) {}

    /** Returns the reason. */
    String text(List<NearMiss> nearMisses) {
      if (nearMisses.isEmpty()) {
        return noClass();
      }
      String reasons =
          nearMisses.stream()
              .limit(MAX_CLASSES)
              .map(miss -> miss.hint() + inherited(miss.type().shape()))
              .collect(Collectors.joining(". "));
      return nearMisses.size() > MAX_CLASSES
          ? "%d classes match and none has such a method with a body. %s"
              .formatted(nearMisses.size(), reasons)
          : reasons;
    }

    private String noClass() {
      if (match.type() instanceof TypePattern.Exact type) {
        if (classPath.read(type.binaryName()) == null) {
          return "there is no class " + type.binaryName() + similar(type.binaryName());
        }
        if (match.annotation() == null) {
          return "no class on this class path is a subtype of " + type.binaryName();
        }
      }
      String annotation = match.annotation();
      if (annotation == null) {
        return "no class name matches";
      }
      return "no matching class or method is annotated with @"
          + annotation
          + (classPath.read(annotation) == null
              ? ", and there is no such annotation" + similar(annotation)
              : "");
    }

    /** Finds a supertype that has the body; the pattern does not match it by its class name. */
    private String inherited(ClassShape shape) {
      String method = match.toString().substring(match.toString().indexOf('#'));
      for (String parent : hierarchy.withSupertypes(shape.name())) {
        OfflineClass supertype = parent.equals(shape.name()) ? null : classPath.find(parent);
        if (supertype != null
            && !MatchPattern.parse(parent + method)
                .meaning(supertype.shape(), classPath)
                .withBody()
                .isEmpty()) {
          return "; it inherits the body from " + parent + ": match that class instead";
        }
      }
      return "";
    }

    private String similar(String wanted) {
      List<String> similar = new ArrayList<>();
      String plain = plain(wanted);
      for (OfflineClass type : classPath.classes()) {
        String name = type.name();
        if (plain(name).equals(plain)) {
          return "; write " + name + " (nested classes use $, names are case-sensitive)";
        }
        if (simple(name).equals(simple(wanted)) || isNear(wanted, name)) {
          similar.add(name);
        }
      }
      if (similar.isEmpty()) {
        return "";
      }
      return "; similar: "
          + similar.stream().sorted().limit(MAX_NAMED).collect(Collectors.joining(", "))
          + (similar.size() > MAX_NAMED ? ", …" : "");
    }

    private static boolean isNear(String wanted, String name) {
      return Math.abs(wanted.length() - name.length()) <= MAX_EDITS
          && EditDistance.edits(wanted, name) <= MAX_EDITS;
    }

    private static String plain(String name) {
      return name.replace('$', '.').toLowerCase(Locale.ROOT);
    }

    private static String simple(String name) {
      return name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1);
    }
  }
}
