package io.portcullis.benchmarks.quorum;

import java.util.List;

/** What one part has found. */
interface Findings {

  /** In Markdown, so that it can be pasted as it is. */
  String table();

  List<TargetResult> verdicts();
}
