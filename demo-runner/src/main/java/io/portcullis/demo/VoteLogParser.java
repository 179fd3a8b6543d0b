package io.portcullis.demo;

import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Detects in the log of a process whether the quorum member votes. */
final class VoteLogParser {
  private VoteLogParser() {}

  /** True if the log contains the line that the member votes. */
  static boolean inLog(String election, Stream<String> log) {
    Pattern votes =
        Pattern.compile(
            "\\bportcullis election="
                + Pattern.quote(election)
                + " node=\\S+ votes( level=\\w+)?$");
    return log.anyMatch(votes.asPredicate());
  }
}
