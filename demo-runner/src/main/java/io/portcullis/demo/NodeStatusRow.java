package io.portcullis.demo;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Status of one node, formatted for the terminal. */
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
          "no response");

  /** Formats all nodes as a table, at most 80 columns wide. */
  static List<String> table(List<NodeStatusRow> rows, Terminal terminal) {
    return Stream.concat(
            Stream.of("", terminal.bold(HEAD)), rows.stream().map(status -> status.row(terminal)))
        .toList();
  }

  /** Formats all nodes in one line, at most 80 columns wide. */
  static String line(long second, List<NodeStatusRow> rows) {
    return rows.stream()
        .map(
            status ->
                String.format(
                    Locale.ROOT,
                    "%s %s %d/%d",
                    status.node,
                    status.role,
                    status.accepted,
                    status.refused))
        .collect(
            Collectors.joining(
                ", ", String.format(Locale.ROOT, "%5d s  ", second), " (ok/refused)"));
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
