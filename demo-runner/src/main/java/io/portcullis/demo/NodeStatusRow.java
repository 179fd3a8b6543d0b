package io.portcullis.demo;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How one node stands, for people. */
record NodeStatusRow(
    String node, String role, String epoch, long accepted, long refused, long unanswered) {
  private static final String HEAD =
      String.format(
          Locale.ROOT,
          "    %-5s %-11s %-12s %10s %10s %12s",
          "node",
          "role",
          "epoch",
          "accepted",
          "refused",
          "no answer");

  /** All nodes as a table within 80 columns. */
  static List<String> table(List<NodeStatusRow> scores, Terminal terminal) {
    return Stream.concat(
            Stream.of("", terminal.bold(HEAD)), scores.stream().map(score -> score.row(terminal)))
        .toList();
  }

  /** All nodes in one line within 80 columns. */
  static String line(long second, List<NodeStatusRow> scores) {
    return scores.stream()
        .map(
            score ->
                String.format(
                    Locale.ROOT,
                    "%s %s %d/%d",
                    score.node,
                    score.role,
                    score.accepted,
                    score.refused))
        .collect(
            Collectors.joining(
                ", ", String.format(Locale.ROOT, "%5d s  ", second), " (taken/refused)"));
  }

  private String row(Terminal terminal) {
    String row =
        String.format(
            Locale.ROOT,
            "    %-5s %-11s %-12s %,10d %,10d %,12d",
            node,
            role,
            epoch,
            accepted,
            refused,
            unanswered);
    return role.equals("LEADER") ? terminal.green(row) : row;
  }
}
