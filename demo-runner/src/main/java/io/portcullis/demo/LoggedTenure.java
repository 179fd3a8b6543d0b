package io.portcullis.demo;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One tenure of a process, read from its log.
 *
 * @param writer writer name of the process in the journal
 */
record LoggedTenure(String writer, long epoch) {
  private static final Pattern BECAME_LEADER =
      Pattern.compile(
          "\\bportcullis election=(?<election>\\S+) node=\\S+ epoch=(?<epoch>\\d{1,18})"
              + " became leader\\b");

  /** Reads the tenures from the log of one process, in log order. */
  static List<LoggedTenure> inLog(String election, String writer, Stream<String> log) {
    return log.flatMap(line -> of(election, writer, line).stream()).toList();
  }

  private static Optional<LoggedTenure> of(String election, String writer, String line) {
    Matcher found = BECAME_LEADER.matcher(line);
    return found.find() && found.group("election").equals(election)
        ? Optional.of(new LoggedTenure(writer, Long.parseLong(found.group("epoch"))))
        : Optional.empty();
  }
}
