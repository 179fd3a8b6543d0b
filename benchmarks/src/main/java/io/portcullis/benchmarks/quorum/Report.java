package io.portcullis.benchmarks.quorum;

import java.util.List;

/** The tables and the overall result. */
record Report(List<PartResult> parts) {

  boolean allTargetsReached() {
    return verdicts().stream().allMatch(TargetResult::reached);
  }

  private List<TargetResult> verdicts() {
    return parts.stream().flatMap(part -> part.verdicts().stream()).toList();
  }

  /** Formats the report as Markdown. */
  String render() {
    StringBuilder text = new StringBuilder();
    for (PartResult part : parts) {
      text.append(part.table()).append('\n');
    }
    text.append("| target | measured | reached |\n|---|---|---|\n");
    verdicts().forEach(verdict -> text.append(verdict.row()));
    return text.toString();
  }
}
