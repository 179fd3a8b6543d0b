package io.portcullis.demo;

import java.util.ArrayList;
import java.util.List;

/** The verdict, for people. */
final class VerdictFormatter {
  private static final int VIOLATIONS_SHOWN = 5;

  private VerdictFormatter() {}

  /** Lines within 80 columns, as long as the violations' sentences are. */
  static List<String> of(ConsistencyVerdict verdict, Terminal terminal) {
    List<String> lines = new ArrayList<>();
    for (Finding finding : verdict.findings()) {
      String measure = finding.measure().isEmpty() ? "" : ": " + finding.measure();
      String mark = finding.holds() ? terminal.green("ok ") : terminal.red("NO ");
      lines.add("  " + mark + " " + finding.promise() + measure);
      finding.violations().stream()
          .limit(VIOLATIONS_SHOWN)
          .forEach(violation -> lines.add("        " + violation));
      int more = finding.violations().size() - VIOLATIONS_SHOWN;
      if (more > 0) {
        lines.add("        and " + more + " more");
      }
    }
    lines.add("");
    lines.add(
        verdict.holds()
            ? terminal.green("One node wrote at a time, and no acknowledged write was lost.")
            : terminal.red("What must always hold did not hold."));
    return lines;
  }
}
