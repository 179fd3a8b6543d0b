package io.portcullis.demo;

import java.util.ArrayList;
import java.util.List;

/** Formats the verdict for the terminal. */
final class VerdictFormatter {
  private static final int MAX_VIOLATIONS = 5;

  private VerdictFormatter() {}

  /** Returns the lines of the report, at most 80 columns wide except for long violations. */
  static List<String> of(ConsistencyVerdict verdict, Terminal terminal) {
    List<String> lines = new ArrayList<>();
    for (Finding finding : verdict.findings()) {
      String measure = finding.measure().isEmpty() ? "" : ": " + finding.measure();
      String mark = finding.holds() ? terminal.green("ok ") : terminal.red("NO ");
      lines.add("  " + mark + " " + finding.guarantee() + measure);
      finding.violations().stream()
          .limit(MAX_VIOLATIONS)
          .forEach(violation -> lines.add("        " + violation));
      int more = finding.violations().size() - MAX_VIOLATIONS;
      if (more > 0) {
        lines.add("        and " + more + " more");
      }
    }
    lines.add("");
    lines.add(
        verdict.holds()
            ? terminal.green("One node wrote at a time, and no acknowledged write was lost.")
            : terminal.red("A guarantee was violated."));
    return lines;
  }
}
