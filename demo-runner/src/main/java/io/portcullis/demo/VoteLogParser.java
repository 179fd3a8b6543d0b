package io.portcullis.demo;

import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Whether a member of a quorum votes, as the log of the process tells it. */
final class VoteLogParser {
  private VoteLogParser() {}

  /** True once the log says that it votes; before, it may have said why it does not. */
  static boolean inLog(String election, Stream<String> log) {
    Pattern votes =
        Pattern.compile("\\bportcullis election=" + Pattern.quote(election) + " node=\\S+ votes$");
    return log.anyMatch(votes.asPredicate());
  }
}
