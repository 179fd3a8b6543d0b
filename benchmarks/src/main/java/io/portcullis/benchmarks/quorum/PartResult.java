package io.portcullis.benchmarks.quorum;

import java.util.List;

/** Results of one part of the benchmark. */
interface PartResult {

  /** Formats the results as Markdown. */
  String table();

  List<TargetResult> verdicts();
}
