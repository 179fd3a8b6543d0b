package io.portcullis.rules.check.propose;

import io.portcullis.rules.check.classpath.ClassPath;
import io.portcullis.rules.check.classpath.ClassPathHierarchy;
import io.portcullis.rules.check.classpath.OfflineClass;
import io.portcullis.rules.check.propose.EntryRules.EntryRule;
import io.portcullis.rules.check.propose.Proposal.RuleProposal;
import io.portcullis.rules.check.propose.Proposal.RuleSetProposal;
import io.portcullis.rules.check.report.GatedMethods.GatedMethod;
import io.portcullis.rules.check.report.RuleCheckRun.RuleFindings;
import io.portcullis.rules.check.writes.WritePaths.UngatedWrite;
import io.portcullis.rules.match.MethodShape;
import io.portcullis.rules.plan.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Proposes rules for an application, from the outside to the inside: first the methods by which
 * frameworks call it, then its own methods for the writes that are still reached without passing a
 * gate, and its database driver for those of SQL.
 */
public final class ProposalAnalysis {
  /** The sets that are proposed if they gate a method of the application. */
  private static final List<String> ENTRY_SETS =
      List.of("http-writes", "spring-scheduled", "quartz-jobs", "leader-only");

  private static final String JDBC = "jdbc-writes";
  private static final String RESPONSES = "servlet-503";

  /** Sets of which the analysis decides whether they fit the application. */
  public static final List<String> RULE_SETS =
      List.of("http-writes", "spring-scheduled", "quartz-jobs", "leader-only", JDBC, RESPONSES);

  /** APIs of the write catalogue that write by a JDBC driver. */
  private static final Set<String> SQL =
      Set.of("jdbc", "jpa", "hibernate", "spring-jdbc", "jooq", "mybatis", "jdbi");

  private static final String SPRING_DATA = "spring-data";
  private static final List<String> SPRING_DATA_ON_SQL =
      List.of(
          "org.springframework.data.jpa.repository.JpaRepository",
          "org.springframework.data.jdbc.repository.query.Modifying");

  private final ClassPath classPath;
  private final ClassPathHierarchy hierarchy;
  private final Map<String, List<Rule>> sets;
  private final RuleTrial trial;
  private final List<RuleSetProposal> ruleSets = new ArrayList<>();
  private final List<RuleProposal> rules = new ArrayList<>();

  private ProposalAnalysis(ClassPath classPath, Map<String, List<Rule>> sets) {
    this.classPath = classPath;
    this.hierarchy = new ClassPathHierarchy(classPath);
    this.sets = sets;
    this.trial = new RuleTrial(classPath, hierarchy);
  }

  /**
   * Analyses an application.
   *
   * @param sets the rules of each of {@link #RULE_SETS}
   */
  public static Proposal of(ClassPath classPath, Map<String, List<Rule>> sets) {
    return new ProposalAnalysis(classPath, sets).run();
  }

  private Proposal run() {
    StartupAnalysis startup = new StartupAnalysis(classPath);
    List<String> databaseChanges = startup.databaseChanges();
    ENTRY_SETS.forEach(this::entrySet);
    EntryRules.ALL.forEach(this::entryRule);
    WriteRules writes = new WriteRules(classPath, hierarchy, trial);
    writes.propose(rules, write -> !isSql(write));
    boolean driverGated = jdbcWrites(writes, !databaseChanges.isEmpty());
    List<String> missed = writes.propose(rules, write -> !driverGated || !isSql(write));
    responses();
    return new Proposal(
        ruleSets, rules, startup.health(), databaseChanges, mappedExceptions(), missed);
  }

  private void entrySet(String name) {
    List<String> reasons = new ArrayList<>();
    List<Rule> all = rulesOf(name);
    for (RuleFindings findings : trial.findings(all)) {
      List<GatedMethod> own = RuleTrial.own(findings);
      if (!own.isEmpty()) {
        reasons.add(reason(findings.rule(), own));
      }
    }
    if (!reasons.isEmpty()) {
      trial.accept(all);
      ruleSets.add(new RuleSetProposal(name, true, reasons));
    }
  }

  private void entryRule(EntryRule entry) {
    for (String action : List.of(entry.preferredAction(), "throw")) {
      Rule rule = RuleTrial.rule(entry.id(), entry.match(), action, entry.timeout(action));
      RuleFindings findings = trial.findings(List.of(rule)).get(0);
      if (findings.refusals().isEmpty()) {
        List<GatedMethod> own = RuleTrial.own(findings);
        if (!own.isEmpty()) {
          trial.accept(List.of(rule));
          rules.add(entryProposal(entry, rule, own));
        }
        return;
      }
    }
  }

  private static RuleProposal entryProposal(EntryRule entry, Rule rule, List<GatedMethod> own) {
    String action = rule.spec().action();
    String note =
        action.equals(entry.preferredAction())
            ? entry.advice()
            : "The action " + entry.preferredAction() + " does not fit all of these methods.";
    return new RuleProposal(
        entry.id(),
        entry.match(),
        action,
        entry.timeout(action),
        false,
        List.of(),
        List.of(reason(rule, own), note));
  }

  /**
   * Proposes to gate the database driver if SQL writes can still be made while the application
   * serves. Returns whether it does: not if tools write to the database at start, which the gate
   * would refuse.
   */
  private boolean jdbcWrites(WriteRules writes, boolean changesAtStart) {
    List<UngatedWrite> open = writes.open(this::isSql);
    List<Rule> driver = rulesOf(JDBC);
    if (open.isEmpty()
        || trial.findings(driver).stream()
            .allMatch(found -> found.rule().observe() || found.gated().isEmpty())) {
      return false;
    }
    boolean used = !changesAtStart && open.stream().anyMatch(writes::happensAfterStart);
    List<String> reasons = new ArrayList<>();
    reasons.add(
        "%s of SQL APIs pass no other rule, such as %s at %s"
            .formatted(
                WriteRules.counted(open.size(), "call", "calls"),
                open.get(0).called(),
                open.get(0).at()));
    if (used) {
      trial.accept(driver);
    } else {
      reasons.add(
          "Not used, because the application changes its database at start: this set would refuse"
              + " that on every node that does not lead.");
    }
    ruleSets.add(new RuleSetProposal(JDBC, used, reasons));
    return used;
  }

  private boolean isSql(UngatedWrite write) {
    return SQL.contains(write.api())
        || (write.api().equals(SPRING_DATA)
            && SPRING_DATA_ON_SQL.stream().anyMatch(type -> classPath.find(type) != null));
  }

  /** Proposes HTTP responses for refusals that leave a servlet, unless another set has them. */
  private void responses() {
    boolean answered = ruleSets.stream().anyMatch(set -> set.name().equals("http-writes"));
    boolean throwing =
        rules.stream().anyMatch(rule -> !rule.action().equals("skip"))
            || ruleSets.stream().anyMatch(set -> set.active() && set.name().equals(JDBC));
    if (answered || !throwing) {
      return;
    }
    long servlets =
        trial.findings(rulesOf(RESPONSES)).stream()
            .flatMap(findings -> findings.gated().stream())
            .map(GatedMethod::type)
            .filter(OfflineClass::own)
            .distinct()
            .count();
    if (servlets > 0) {
      ruleSets.add(
          new RuleSetProposal(
              RESPONSES,
              true,
              List.of(
                  WriteRules.counted((int) servlets, "servlet or filter", "servlets or filters")
                      + " of the application: turns refusals into HTTP 503")));
    }
  }

  private List<Rule> rulesOf(String set) {
    return sets.getOrDefault(set, List.of());
  }

  private static String reason(Rule rule, List<GatedMethod> own) {
    return "%s: %s, such as %s"
        .formatted(
            rule.match().toString().replaceFirst(" \\*\\*#\\*\\(\\.\\.\\)$", ""),
            WriteRules.counted(own.size(), "method", "methods"),
            own.get(0));
  }

  /** Exceptions with {@code @ResponseStatus}, and those for which there is an exception mapper. */
  private List<String> mappedExceptions() {
    Set<String> found = new TreeSet<>();
    for (OfflineClass type : classPath.classes()) {
      if (type.own() && !type.shape().isAbstract()) {
        Set<String> supertypes = hierarchy.withSupertypes(type.name());
        if (supertypes.contains("java.lang.Throwable")
            && type.shape()
                .annotations()
                .contains("org.springframework.web.bind.annotation.ResponseStatus")) {
          found.add(type.name());
        }
        if (supertypes.contains("jakarta.ws.rs.ext.ExceptionMapper")
            || supertypes.contains("javax.ws.rs.ext.ExceptionMapper")) {
          type.shape().methods().stream()
              .filter(method -> method.name().equals("toResponse") && !method.isSynthetic())
              .map(MethodShape::parameterTypes)
              .filter(types -> types.size() == 1)
              .forEach(types -> found.add(types.get(0)));
        }
      }
    }
    return found.stream()
        .filter(name -> new ExceptionTypes(classPath, hierarchy).canBeThrownAnywhere(name))
        .toList();
  }
}
