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

/** Goes over a class path with rules, as the weaver would when its classes are loaded. */
public final class RuleCheckRun {
  private final ClassPath classPath;
  private final ClassPathHierarchy hierarchy;
  private final GatedMethods gates = new GatedMethods();

  public RuleCheckRun(ClassPath classPath, ClassPathHierarchy hierarchy) {
    this.classPath = classPath;
    this.hierarchy = hierarchy;
  }

  /** What each rule comes to, in their order. */
  public List<RuleFindings> of(List<Rule> rules) {
    List<FindingsBuilder> drafts = rules.stream().map(this::draft).toList();
    for (FindingsBuilder draft : drafts) {
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
  private static final class FindingsBuilder {
    final Rule rule;
    final List<GatedMethod> gated = new ArrayList<>();
    final List<UnmatchedRuleReport.NearMiss> inVain = new ArrayList<>();
    final List<String> inDoubt = new ArrayList<>();
    final List<String> traps = new ArrayList<>();
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
    for (ReadProblem flaw : classPath.flaws()) {
      if (!flaw.className().isEmpty() && rule.match().type().matches(flaw.className())) {
        draft.refusals.add(flaw.className() + ": " + flaw.text() + " (" + flaw.place() + ")");
      }
    }
    return draft;
  }

  private void plan(FindingsBuilder draft, OfflineClass type) {
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
      draft.inVain.add(new UnmatchedRuleReport.NearMiss(type, plan.hint()));
    }
  }

  private RuleFindings findings(FindingsBuilder draft) {
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

  /** Finds bodies below a gated one that run in its stead, past the gate. */
  static final class OverridingMethods {
    private final ClassPathHierarchy hierarchy;
    private final GatedMethods gates;

    OverridingMethods(ClassPathHierarchy hierarchy, GatedMethods gates) {
      this.hierarchy = hierarchy;
      this.gates = gates;
    }

    List<String> of(List<GatedMethod> gated) {
      Map<String, Collection<OfflineClass>> below = new HashMap<>();
      Map<String, String> ungated = new LinkedHashMap<>();
      for (GatedMethod method : gated) {
        if (method.canBeOverridden()) {
          Collection<OfflineClass> subtypes =
              below.computeIfAbsent(method.type().name(), hierarchy::subtypes);
          subtypes.forEach(subtype -> look(method, subtype, ungated));
        }
      }
      return GroupedWarnings.by("", List.copyOf(ungated.values()));
    }

    private void look(GatedMethod gated, OfflineClass subtype, Map<String, String> ungated) {
      for (MethodShape method : subtype.shape().methods()) {
        String key = method.name() + method.descriptor();
        if (method.hasBody() && key.equals(gated.key()) && !gates.has(subtype.name(), key)) {
          ungated.putIfAbsent(
              subtype.name() + key,
              "%s#%s overrides %s and is not gated, unless it calls the other: name it too, or write %s+"
                  .formatted(subtype.name(), method.signature(), gated, gated.type().name()));
        }
      }
    }
  }

  /** Methods whose callers take an exception badly, from the list in {@code traps.txt}. */
  static final class RiskyMethods {
    static final RiskyMethods KNOWN = read();

    /** One line of the list. */
    private record RiskyMethod(String kind, String type, String method, String text) {
      boolean catches(GatedMethod gated, ClassPathHierarchy hierarchy) {
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

    private final List<RiskyMethod> traps;

    private RiskyMethods(List<RiskyMethod> traps) {
      this.traps = List.copyOf(traps);
    }

    /** Warnings for those of a rule's methods that are in a trap. */
    List<String> in(Rule rule, List<GatedMethod> gated, ClassPathHierarchy hierarchy) {
      Map<RiskyMethod, List<String>> caught = new LinkedHashMap<>();
      for (GatedMethod method : gated) {
        RiskyMethod trap =
            rule.action().mayThrow(method.method()) ? first(method, hierarchy) : null;
        if (trap != null) {
          caught.computeIfAbsent(trap, key -> new ArrayList<>()).add(method.toString());
        }
      }
      List<String> warnings = new ArrayList<>();
      caught.forEach(
          (trap, methods) -> warnings.addAll(GroupedWarnings.by(": " + trap.text(), methods)));
      return warnings;
    }

    /** The list goes from the particular to the general, so the first says most. */
    private @Nullable RiskyMethod first(GatedMethod method, ClassPathHierarchy hierarchy) {
      for (RiskyMethod trap : traps) {
        if (trap.catches(method, hierarchy)) {
          return trap;
        }
      }
      return null;
    }

    private static RiskyMethods read() {
      return new RiskyMethods(
          ListFile.lines(RiskyMethods.class, "traps.txt").stream()
              .map(RiskyMethods::trap)
              .toList());
    }

    private static RiskyMethod trap(String line) {
      String[] halves = line.split(": ", 2);
      String[] words = halves[0].split(" ", 2);
      String[] name = words[1].split("#", 2);
      return new RiskyMethod(words[0], name[0], name.length == 2 ? name[1] : "", halves[1]);
    }
  }

  /** Keeps a warning that many methods share readable. */
  static final class GroupedWarnings {
    private static final int MAX_NAMED = 3;

    private GroupedWarnings() {}

    /** The first few, each followed by the text; the last of them tells how many there are more. */
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
   * What a rule comes to on a class path.
   *
   * @param gated the methods it would gate
   * @param refusals what the agent would stop the JVM for
   * @param warnings what it would do, or leave undone, and what may not be meant
   */
  public record RuleFindings(
      Rule rule, List<GatedMethod> gated, List<String> refusals, List<String> warnings) {
    public RuleFindings {
      gated = List.copyOf(gated);
      refusals = List.copyOf(refusals);
      warnings = List.copyOf(warnings);
    }
  }

  /** Why a rule gates nothing on a class path, in words that help to mend its pattern. */
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
     * A class that the pattern means in vain.
     *
     * @param hint what the class has instead
     */
    record NearMiss(OfflineClass type, String hint) {}

    /** The reason. */
    String text(List<NearMiss> inVain) {
      if (inVain.isEmpty()) {
        return noClass();
      }
      String reasons =
          inVain.stream()
              .limit(MAX_CLASSES)
              .map(miss -> miss.hint() + inherited(miss.type().shape()))
              .collect(Collectors.joining(". "));
      return inVain.size() > MAX_CLASSES
          ? "%d classes fit and none has such a method with a body. %s"
              .formatted(inVain.size(), reasons)
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
        return "no class has a name that fits";
      }
      return "nothing that fits carries @"
          + annotation
          + (classPath.read(annotation) == null
              ? ", and there is no such annotation" + similar(annotation)
              : "");
    }

    /** A body further up, which the pattern does not mean since it names another class. */
    private String inherited(ClassShape shape) {
      String method = match.toString().substring(match.toString().indexOf('#'));
      for (String parent : hierarchy.withSupertypes(shape.name())) {
        OfflineClass above = parent.equals(shape.name()) ? null : classPath.find(parent);
        if (above != null
            && !MatchPattern.parse(parent + method)
                .meaning(above.shape(), classPath)
                .withBody()
                .isEmpty()) {
          return "; it inherits the body from " + parent + ": name that instead";
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
          return "; nested classes are parted by $, upper and lower case differ: write " + name;
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
