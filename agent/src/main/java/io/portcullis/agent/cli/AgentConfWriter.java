package io.portcullis.agent.cli;

import io.portcullis.rules.check.propose.Proposal;
import io.portcullis.rules.check.propose.Proposal.HealthProposal;
import io.portcullis.rules.check.propose.Proposal.RuleProposal;
import io.portcullis.rules.check.propose.Proposal.RuleSetProposal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Writes a proposal as a configuration, with comments that say why. */
final class AgentConfWriter {
  /** Maximum length of a line with a comment, unless a single word is longer. */
  private static final int MAX_LINE = 100;

  /** Maximum number of missed writes that are listed. */
  private static final int MAX_MISSED = 10;

  private final StringBuilder text = new StringBuilder();

  private AgentConfWriter() {}

  /** Quotes a string for HOCON. */
  static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
  }

  /** A configuration without rules except those of the given rule sets. */
  static String withRuleSets(String service, List<String> backend, List<String> sets) {
    AgentConfWriter writer = new AgentConfWriter();
    writer.line(0, "portcullis {");
    writer.line(1, "service = " + quoted(service));
    writer.line(1, "elections { writer {");
    backend.forEach(line -> writer.line(2, line));
    writer.line(1, "} }");
    writer.line(1, "rule-sets = [ " + String.join(", ", sets) + " ]");
    writer.line(0, "}");
    return writer.text.toString();
  }

  /** The configuration for a proposal. */
  static String of(String service, List<String> backend, Proposal proposal) {
    AgentConfWriter writer = new AgentConfWriter();
    writer.head(service);
    writer.election(backend, proposal.health());
    writer.warnings(proposal.warnings());
    writer.ruleSets(proposal.ruleSets());
    writer.rules(proposal);
    writer.line(0, "}");
    return writer.text.toString();
  }

  private void head(String service) {
    comment(
        0, "Proposed by the command init from the application's class files. Read the comments,");
    comment(0, "change what does not fit, and run check again.");
    line(0, "portcullis {");
    comment(1, "Part of every store key: two services never share a leader.");
    line(1, "service = " + quoted(service));
    line(0, "");
    comment(
        1,
        "observe blocks nothing: it counts the calls that enforce would refuse. Change it to"
            + " enforce when the status shows that those of a standby are what it should refuse,"
            + " and none that it needs to start.");
    line(1, "mode = observe");
    line(0, "");
    comment(1, "The address of this node for the others and their callers:");
    comment(1, "node.advertise = \"http://10.0.0.7:8080\"");
    line(0, "");
  }

  private void election(List<String> backend, HealthProposal health) {
    line(1, "elections {");
    line(2, "writer {");
    backend.forEach(line -> line(3, line));
    line(0, "");
    comment(3, "A node leads only while its service serves: " + health.reason() + ".");
    String check = "eligible-when { %s = %s }".formatted(health.key(), quoted(health.value()));
    line(3, health.active() ? check : "# " + check);
    line(2, "}");
    line(1, "}");
    line(0, "");
  }

  private void warnings(List<String> warnings) {
    for (String warning : warnings) {
      comment(1, "WARNING: " + warning);
    }
    if (!warnings.isEmpty()) {
      line(0, "");
    }
  }

  private void ruleSets(List<RuleSetProposal> sets) {
    line(1, "rule-sets = [");
    for (RuleSetProposal set : sets) {
      set.reasons().forEach(reason -> comment(2, reason));
      line(2, (set.active() ? "" : "# ") + set.name());
    }
    line(1, "]");
    line(0, "");
  }

  private void rules(Proposal proposal) {
    if (!proposal.mappedExceptions().isEmpty()) {
      comment(
          1,
          "Exceptions that the application's framework maps to a response; a rule that throws can"
              + " name one with exception = \"…\": "
              + String.join(", ", proposal.mappedExceptions()));
    }
    line(1, "rules = [");
    proposal.rules().forEach(this::rule);
    if (!proposal.hasRules()) {
      comment(2, "Nothing was found that writes. Name the methods that only the leader may run:");
      comment(2, "{ id = orders, match = \"com.acme.orders.OrderStore#save(..)\" }");
    }
    missed(proposal.missed());
    line(1, "]");
  }

  private void rule(RuleProposal rule) {
    rule.reasons().forEach(reason -> comment(2, reason));
    List<String> keys = new ArrayList<>();
    keys.add("id = " + quotedId(rule.id()));
    keys.add("match = " + quoted(rule.match()));
    if (!rule.action().equals("throw")) {
      keys.add("action = " + rule.action());
    }
    if (!rule.timeout().isZero()) {
      keys.add("timeout = " + duration(rule.timeout()));
    }
    if (rule.observe()) {
      keys.add("mode = observe");
    }
    line(2, "{ " + String.join(", ", keys) + " }");
    for (String exception : rule.exceptions()) {
      comment(2, "Its callers handle this checked exception, so it could be thrown instead:");
      comment(2, "  exception = " + quoted(exception));
    }
  }

  private void missed(List<String> missed) {
    if (missed.isEmpty()) {
      return;
    }
    comment(2, "Not gated by this file: " + missed.size() + " calls of APIs that write.");
    missed.stream().limit(MAX_MISSED).forEach(text -> comment(2, "- " + text));
    if (missed.size() > MAX_MISSED) {
      comment(2, "- and " + (missed.size() - MAX_MISSED) + " more: run check --ungated");
    }
  }

  private static String duration(Duration duration) {
    return duration.toHours() + "h";
  }

  private static String quotedId(String id) {
    return id.matches("[A-Za-z][A-Za-z0-9_-]*") ? id : quoted(id);
  }

  private void comment(int level, String words) {
    String start = "  ".repeat(level) + "#";
    StringBuilder current = new StringBuilder(start);
    for (String word : words.replaceAll("\\R", " ").split(" ", -1)) {
      if (current.length() > start.length() && current.length() + 1 + word.length() > MAX_LINE) {
        text.append(current).append('\n');
        current = new StringBuilder(start);
      }
      current.append(' ').append(word);
    }
    text.append(current).append('\n');
  }

  private void line(int level, String line) {
    text.append(line.isEmpty() ? "" : "  ".repeat(level)).append(line).append('\n');
  }
}
