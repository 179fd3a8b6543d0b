package io.portcullis.demo;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One time of leading, as the log of the process tells it.
 *
 * @param writer the process, by the name under which it writes to the journal
 */
record LoggedTenure(String writer, long epoch) {
  private static final Pattern BECAME_LEADER =
      Pattern.compile(
          "\\bportcullis election=(?<election>\\S+) node=\\S+ epoch=(?<epoch>\\d{1,18})"
              + " became leader\\b");

  /** The tenures in the log of one process, in the order of the log. */
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
