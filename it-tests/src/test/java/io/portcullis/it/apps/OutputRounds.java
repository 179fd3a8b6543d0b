package io.portcullis.it.apps;

import io.portcullis.it.support.ServiceJvm;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;

/** Output of a program that repeats the same work and prints a line at the start of each round. */
final class OutputRounds {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final String END = "round done";

  private OutputRounds() {}

  /** The lines of a complete round that starts from now on. */
  static List<String> next(ServiceJvm jvm) {
    int seen = jvm.output().stdout().size();
    return Awaitility.await(jvm.name() + " completes a round")
        .atMost(TIMEOUT)
        .until(() -> after(jvm, seen), round -> !round.isEmpty());
  }

  private static List<String> after(ServiceJvm jvm, int seen) {
    List<String> lines = jvm.output().stdout();
    List<String> fresh = lines.subList(seen, lines.size());
    int from = fresh.indexOf(END) + 1;
    int length = fresh.subList(from, fresh.size()).indexOf(END);
    return from == 0 || length < 0 ? List.of() : fresh.subList(from, from + length);
  }
}
