package io.portcullis.agent.runtime;

import io.portcullis.agent.config.AgentConfig;
import io.portcullis.agent.config.ElectionSection;
import io.portcullis.agent.config.RuleSection;
import io.portcullis.agent.config.RuleSection.RuleCheck;
import io.portcullis.agent.config.hocon.ConfigProblems;
import io.portcullis.agent.extension.Extensions;
import io.portcullis.rules.plan.Rule;
import io.portcullis.rules.spec.RuleSpec;
import io.portcullis.rules.spec.RuleSpec.InvalidRuleException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Creates rules from their configuration; reports invalid ones with their location. */
public final class RuleFactory implements RuleCheck {

  @Override
  public void check(RuleSection section, Extensions extensions, ConfigProblems problems) {
    try {
      rule(section, Set.of(election(section)), false, extensions);
    } catch (InvalidRuleException e) {
      for (InvalidRuleException.Problem problem : e.problems()) {
        if (problem.key().equals("id")) {
          continue; // Already reported by the configuration reader.
        }
        String remedy = problem.remedy();
        problems.refuse(
            section.spot(problem.key()),
            problem.problem() + (remedy.isEmpty() ? "" : ". " + remedy));
      }
    }
  }

  /** Creates the rules of a valid configuration. */
  public static List<Rule> rules(AgentConfig config) {
    Set<String> elections =
        config.elections().stream().map(ElectionSection::name).collect(Collectors.toSet());
    return config.protection().rules().stream()
        .map(section -> rule(section, elections, config.protection().stackTraces(), config.interfaces().extensions()))
        .toList();
  }

  private static String election(RuleSection section) {
    return section.election().isEmpty() ? "unknown" : section.election();
  }

  private static Rule rule(
      RuleSection section, Set<String> elections, boolean stackTraces, Extensions extensions) {
    return Rule.of(
        new RuleSpec(
            section.id(),
            section.match(),
            election(section),
            section.action(),
            section.options(),
            section.observe(),
            elections),
        stackTraces,
        extensions.actions());
  }
}
