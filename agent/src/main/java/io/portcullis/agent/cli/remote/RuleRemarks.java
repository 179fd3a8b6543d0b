package io.portcullis.agent.cli.remote;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What an operator must know about the rules of a node: which of them refuse no calls, and why. */
final class RuleRemarks {
  private static final Set<String> UNARMED = Set.of("PENDING", "NO_METHOD", "FAILED");
  private static final int MAX_NAMED = 10;

  private RuleRemarks() {}

  /** One sentence for each finding in the status of a node; empty if all rules are in force. */
  static List<String> of(Config status) {
    try {
      return remarks(status);
    } catch (ConfigException e) {
      return List.of(); // A node of another version; its row is still shown.
    }
  }

  private static List<String> remarks(Config status) {
    String node = status.getString("node");
    List<? extends Config> rules =
        status.hasPath("rules") ? status.getConfigList("rules") : List.of();
    List<String> lines = new ArrayList<>();
    List<? extends Config> unarmed =
        rules.stream().filter(rule -> UNARMED.contains(rule.getString("state"))).toList();
    unarmed.stream().limit(MAX_NAMED).forEach(rule -> lines.add(unarmed(node, rule)));
    if (unarmed.size() > MAX_NAMED) {
      lines.add("Not armed on %s: %d more rules.".formatted(node, unarmed.size() - MAX_NAMED));
    }
    if (status.hasPath("mode") && status.getString("mode").equals("observe")) {
      lines.add("Mode of " + node + " is observe: calls are counted, none is refused.");
    } else {
      observed(node, rules, lines);
    }
    return lines;
  }

  private static String unarmed(String node, Config rule) {
    String hint = rule.hasPath("hint") ? rule.getString("hint") : "";
    return "Not armed on %s: rule %s is %s%s"
        .formatted(
            node,
            rule.getString("id"),
            rule.getString("state"),
            hint.isEmpty() ? "." : ": " + hint);
  }

  private static void observed(String node, List<? extends Config> rules, List<String> lines) {
    List<String> ids =
        rules.stream()
            .filter(rule -> rule.hasPath("mode") && rule.getString("mode").equals("observe"))
            .map(rule -> rule.getString("id"))
            .toList();
    if (!ids.isEmpty()) {
      lines.add(
          "Only observed on "
              + node
              + ": "
              + ids.stream().limit(MAX_NAMED).collect(Collectors.joining(", "))
              + (ids.size() > MAX_NAMED ? " and " + (ids.size() - MAX_NAMED) + " more." : "."));
    }
  }
}
