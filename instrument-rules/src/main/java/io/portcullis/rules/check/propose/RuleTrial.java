package io.portcullis.rules.check.propose;

import io.portcullis.rules.check.classpath.ClassPath;
import io.portcullis.rules.check.classpath.ClassPathHierarchy;
import io.portcullis.rules.check.report.GatedMethods;
import io.portcullis.rules.check.report.GatedMethods.GatedMethod;
import io.portcullis.rules.check.report.RuleCheckRun;
import io.portcullis.rules.check.report.RuleCheckRun.RuleFindings;
import io.portcullis.rules.plan.Rule;
import io.portcullis.rules.spec.RuleSpec;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tries rules on a class path, and accumulates the methods that the accepted ones gate. */
final class RuleTrial {
  /** Stands for the election, which the rules of a proposal do not name. */
  private static final String ELECTION = "proposed";

  private final ClassPath classPath;
  private final ClassPathHierarchy hierarchy;
  private final RuleCheckRun accepted;

  RuleTrial(ClassPath classPath, ClassPathHierarchy hierarchy) {
    this.classPath = classPath;
    this.hierarchy = hierarchy;
    this.accepted = new RuleCheckRun(classPath, hierarchy);
  }

  static Rule rule(String id, String match, String action, Duration timeout) {
    Map<String, @Nullable Object> options = new HashMap<>();
    if (!timeout.isZero()) {
      options.put("timeout", timeout);
    }
    return Rule.of(new RuleSpec(id, match, ELECTION, action, options, false), false);
  }

  /** The findings of these rules, without accepting them. */
  List<RuleFindings> findings(List<Rule> rules) {
    return new RuleCheckRun(classPath, hierarchy).of(rules);
  }

  /** Accepts rules: from now on their methods count as gated. */
  void accept(List<Rule> rules) {
    accepted.of(rules);
  }

  GatedMethods gates() {
    return accepted.gates();
  }

  /** The application's own methods among the gated ones, if the rule refuses their calls. */
  static List<GatedMethod> own(RuleFindings findings) {
    return findings.rule().observe()
        ? List.of()
        : findings.gated().stream().filter(method -> method.type().own()).toList();
  }
}
