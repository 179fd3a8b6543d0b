package io.portcullis.agent.cli;

import io.portcullis.agent.config.AgentConfig;
import io.portcullis.agent.config.AgentConfig.EffectiveValue;
import io.portcullis.agent.config.ElectionSection;
import io.portcullis.agent.config.HookMethod;
import io.portcullis.agent.config.RuleSection;
import io.portcullis.agent.runtime.RuleFactory;
import io.portcullis.rules.check.classpath.ClassPath;
import io.portcullis.rules.check.classpath.ClassPath.ApplicationClassCheck;
import io.portcullis.rules.check.classpath.ClassPath.ReadProblem;
import io.portcullis.rules.check.classpath.ClassPathHierarchy;
import io.portcullis.rules.check.classpath.OfflineClass;
import io.portcullis.rules.check.report.GatedMethods.GatedMethod;
import io.portcullis.rules.check.report.RuleCheckRun;
import io.portcullis.rules.check.report.RuleCheckRun.RuleFindings;
import io.portcullis.rules.check.writes.StartupCalls;
import io.portcullis.rules.check.writes.WritePaths;
import io.portcullis.rules.check.writes.WritePaths.UngatedWrite;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.EditDistance;
import io.portcullis.rules.match.MethodShape;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Prints the methods on a class path that the rules would gate, and the writes that they miss. */
final class OfflineCheck {
  private static final int MAX_METHODS_SHOWN = 10;
  private static final int MAX_READ_PROBLEMS_SHOWN = 20;
  private static final int MAX_RULES_NAMED = 5;

  /**
   * From this number of package roots on, the class path probably contains libraries: an
   * application's own classes have fewer roots.
   */
  private static final int MIN_ROOTS_WITH_LIBRARIES = 5;

  private final List<String> paths;
  private final ApplicationClassCheck ownership;
  private final boolean ungated;
  private final boolean all;

  /**
   * Result of the check.
   *
   * @param problems errors because of which the configuration can't be used with this class path
   */
  record Outcome(List<String> problems, int warnings) {}

  OfflineCheck(List<String> paths, ApplicationClassCheck ownership, boolean ungated, boolean all) {
    this.paths = paths;
    this.ownership = ownership;
    this.ungated = ungated;
    this.all = all;
  }

  static String title(RuleSection rule) {
    return "rule " + rule.id() + ": " + rule.action() + " at " + rule.match();
  }

  Outcome run(AgentConfig config, PrintWriter out) {
    return run(config, ClassPath.read(paths, ownership, Runtime.version().feature()), out);
  }

  /** Runs the check on a class path that has been read already. */
  Outcome run(AgentConfig config, ClassPath classPath, PrintWriter out) {
    ClassPathHierarchy hierarchy = new ClassPathHierarchy(classPath);
    CheckReport report = new CheckReport(out);
    report.classPath(classPath);
    RuleCheckRun checkRun = new RuleCheckRun(classPath, hierarchy);
    List<RuleFindings> findings = checkRun.of(RuleFactory.rules(config));
    findings.forEach(report::count);
    for (int i = 0; i < findings.size(); i++) {
      report.rule(config.protection().rules().get(i), findings.get(i), hierarchy);
    }
    report.sharedWarnings();
    report.startup(StartupCalls.of(classPath, hierarchy, checkRun));
    report.problems.addAll(new HookCheck(config, classPath).problems());
    if (ungated) {
      report.writes(classPath, WritePaths.of(classPath, hierarchy, checkRun.gates()));
    }
    return new Outcome(report.problems, report.warnings);
  }

  /** Prints findings, counts warnings and collects problems. */
  private final class CheckReport {
    private final PrintWriter out;
    private final List<String> problems = new ArrayList<>();
    private final Map<String, List<String>> rulesByWarning = new TreeMap<>();
    private int warnings;

    CheckReport(PrintWriter out) {
      this.out = out;
    }

    private void warn(String indent, String text) {
      warnings++;
      out.println(indent + "warning: " + text);
    }

    void classPath(ClassPath classPath) {
      out.println(
          "  class path: %s in %s, the application's own: %d"
              .formatted(
                  counted(classPath.classes().size(), "class", "classes"),
                  counted(classPath.archives(), "jar or directory", "jars and directories"),
                  own(classPath)));
      List<ReadProblem> flaws = new ArrayList<>();
      for (ReadProblem flaw : classPath.flaws()) {
        if (flaw.fatal()) {
          problems.add("class path: " + flaw);
        } else {
          flaws.add(flaw);
        }
      }
      flaws.stream().limit(MAX_READ_PROBLEMS_SHOWN).forEach(flaw -> warn("  ", flaw.toString()));
      if (flaws.size() > MAX_READ_PROBLEMS_SHOWN) {
        warn("  ", (flaws.size() - MAX_READ_PROBLEMS_SHOWN) + " more that can't be read");
      }
    }

    /** Counts the rules that have the same warning. */
    void count(RuleFindings findings) {
      for (String text : Set.copyOf(findings.warnings())) {
        rulesByWarning.computeIfAbsent(text, key -> new ArrayList<>()).add(findings.rule().id());
      }
    }

    /** Prints each warning that several rules have once. */
    void sharedWarnings() {
      rulesByWarning.forEach(
          (text, ids) -> {
            if (ids.size() > 1) {
              warn("  ", "rules " + named(ids) + ": " + text);
            }
          });
    }

    private static String named(List<String> ids) {
      return ids.size() <= MAX_RULES_NAMED
          ? String.join(", ", ids)
          : String.join(", ", ids.subList(0, MAX_RULES_NAMED))
              + " and "
              + (ids.size() - MAX_RULES_NAMED)
              + " more";
    }

    /** Warns about gated methods that a standby would call at its start. */
    void startup(List<String> calls) {
      int shown = all ? calls.size() : Math.min(calls.size(), MAX_METHODS_SHOWN);
      calls.subList(0, shown).forEach(text -> warn("  ", text));
      if (shown < calls.size()) {
        warn("  ", (calls.size() - shown) + " more that run at start (--all prints them)");
      }
    }

    void rule(RuleSection section, RuleFindings findings, ClassPathHierarchy hierarchy) {
      int count = findings.gated().size();
      out.println(
          "  "
              + title(section)
              + (section.observe() ? " would observe " : " would gate ")
              + counted(count, "method", "methods"));
      int shown = all ? count : Math.min(count, MAX_METHODS_SHOWN);
      for (GatedMethod method : findings.gated().subList(0, shown)) {
        out.println("    " + method);
      }
      if (shown < count) {
        out.println("    and " + (count - shown) + " more (--all prints them)");
      }
      if (section.action().equals("throw")
          && !section.observe()
          && !section.options().containsKey("exception")) {
        ExceptionHint.of(findings.gated(), hierarchy)
            .ifPresent(text -> out.println("    hint: " + text));
      }
      findings.warnings().stream()
          .distinct()
          .filter(text -> rulesByWarning.getOrDefault(text, List.of()).size() == 1)
          .forEach(text -> warn("    ", text));
      findings
          .refusals()
          .forEach(
              text ->
                  problems.add(section.place("match") + ": rule " + section.id() + ": " + text));
    }

    void writes(ClassPath classPath, WritePaths paths) {
      if (own(classPath) == 0) {
        warn("  ", "no class is the application's own; name them with --own 'com.acme.**'");
      } else if (own(classPath) == classPath.classes().size()
          && roots(classPath) >= MIN_ROOTS_WITH_LIBRARIES) {
        out.println(
            "  hint: all classes count as the application's own; if the jar also contains"
                + " libraries, exclude them with --own 'com.acme.**'");
      }
      out.println(
          "  write paths: %s of known write APIs, not gated: %d%s"
              .formatted(
                  counted(paths.calls(), "call", "calls"),
                  paths.ungated().size(),
                  byApi(paths.callsByApi())));
      if (paths.covered() > 0) {
        out.println(
            "    covered by the gated JDBC driver: " + counted(paths.covered(), "call", "calls"));
      }
      for (UngatedWrite write : paths.ungated()) {
        warnings++;
        out.println("    not gated: " + write);
      }
      out.println(
          "    Not seen: reflection, native code, classes generated at run time, libraries' own"
              + " writes, APIs not on the list. A lambda counts as part of the method that creates"
              + " it.");
    }

    private static String byApi(Map<String, Integer> calls) {
      return calls.isEmpty()
          ? ""
          : calls.entrySet().stream()
              .map(entry -> entry.getKey() + " " + entry.getValue())
              .collect(Collectors.joining(", ", "; calls of: ", ""));
    }

    private static String counted(int count, String singular, String plural) {
      return count == 1 ? "1 " + singular : count + " " + plural;
    }

    /** Number of distinct package roots, such as com.acme. */
    private static long roots(ClassPath classPath) {
      return classPath.classes().stream()
          .map(type -> type.name().replaceFirst("^([^.]*\\.[^.]*)\\..*", "$1"))
          .distinct()
          .count();
    }

    private static long own(ClassPath classPath) {
      return classPath.classes().stream().filter(OfflineClass::own).count();
    }
  }

  /** Finds a checked exception that callers of gated methods have to handle already. */
  static final class ExceptionHint {
    private ExceptionHint() {}

    /** Considers the application's own methods; the most frequent exception is named. */
    static Optional<String> of(List<GatedMethod> gated, ClassPathHierarchy hierarchy) {
      Map<String, List<GatedMethod>> byException = new TreeMap<>();
      for (GatedMethod method : gated) {
        if (method.type().own()) {
          for (String exception : method.method().exceptions()) {
            if (isChecked(exception, hierarchy)) {
              byException.computeIfAbsent(exception, name -> new ArrayList<>()).add(method);
            }
          }
        }
      }
      return byException.entrySet().stream()
          .max(Comparator.comparingInt(entry -> entry.getValue().size()))
          .map(entry -> text(entry.getKey(), entry.getValue()));
    }

    /** The general exceptions of java.lang say nothing about a refusal. */
    private static boolean isChecked(String exception, ClassPathHierarchy hierarchy) {
      Set<String> types = hierarchy.withSupertypes(exception);
      return !exception.startsWith("java.lang.")
          && types.contains("java.lang.Exception")
          && !types.contains("java.lang.RuntimeException");
    }

    private static String text(String exception, List<GatedMethod> methods) {
      String declare =
          methods.size() == 1 ? " declares " : " and " + (methods.size() - 1) + " more declare ";
      return methods.get(0)
          + declare
          + exception
          + ", which callers handle already; consider exception = \""
          + exception
          + "\"";
    }
  }

  /** Checks that the methods named by hooks exist on the class path. */
  static final class HookCheck {
    private static final int MAX_SIMILAR = 5;
    private static final int MAX_EDITS = 2;

    private final AgentConfig config;
    private final ClassPath classPath;
    private final List<String> problems = new ArrayList<>();

    HookCheck(AgentConfig config, ClassPath classPath) {
      this.config = config;
      this.classPath = classPath;
    }

    /** Hooks that can't be called, each with its origin. */
    List<String> problems() {
      for (ElectionSection election : config.elections()) {
        String key = "portcullis.elections." + election.name() + ".hooks.";
        election.hooks().started().forEach(hook -> check(key + "started", hook));
        election.hooks().stopped().forEach(hook -> check(key + "stopped", hook));
        election.hooks().newLeader().forEach(hook -> check(key + "new-leader", hook));
      }
      return problems;
    }

    private void check(String key, HookMethod hook) {
      String problem = problem(hook);
      if (!problem.isEmpty()) {
        String place =
            config.files().effective().stream()
                .filter(value -> value.key().startsWith(key))
                .map(EffectiveValue::place)
                .map(Object::toString)
                .findFirst()
                .orElse(String.valueOf(config.files().main()));
        problems.add("%s: %s: %s can't be called: %s".formatted(place, key, hook, problem));
      }
    }

    /** Why the hook can't be called; empty if it can. */
    private String problem(HookMethod hook) {
      ClassShape shape = classPath.read(hook.type());
      if (shape == null) {
        return "no such class is on the class path"
            + similar(
                classPath.classes().stream().map(OfflineClass::name).toList(),
                name -> isLike(simple(name), simple(hook.type())));
      }
      List<MethodShape> named =
          shape.methods().stream().filter(method -> method.name().equals(hook.name())).toList();
      for (MethodShape method : named) {
        if (method.parameterTypes().equals(hook.parameters())) {
          return method.isStatic()
              ? ""
              : "the method is not static, and there is no object to call it on";
        }
      }
      if (!named.isEmpty()) {
        return "the class has only "
            + named.stream().map(MethodShape::signature).collect(Collectors.joining(", "))
            + " with this name";
      }
      return "the class declares no such method"
          + similar(
              shape.methods().stream()
                  .filter(method -> isLike(method.name(), hook.name()))
                  .map(MethodShape::signature)
                  .toList(),
              name -> true);
    }

    private static String similar(List<String> names, Predicate<String> wanted) {
      String found =
          names.stream().filter(wanted).limit(MAX_SIMILAR).collect(Collectors.joining(", "));
      return found.isEmpty() ? "" : "; similar: " + found;
    }

    private static boolean isLike(String name, String other) {
      return EditDistance.edits(name, other) <= Math.min(MAX_EDITS, other.length() / 2);
    }

    private static String simple(String binaryName) {
      return binaryName.substring(binaryName.lastIndexOf('.') + 1);
    }
  }
}
