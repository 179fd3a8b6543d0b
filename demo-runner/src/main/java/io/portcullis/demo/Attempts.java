package io.portcullis.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** All writes that were asked for so far, in the order of their answers. Safe for many threads. */
final class Attempts {
  private final List<Attempt> all = new ArrayList<>();

  synchronized void add(Attempt attempt) {
    all.add(attempt);
  }

  synchronized List<Attempt> list() {
    return List.copyOf(all);
  }

  /** The first write that a process other than {@code writer} accepted after {@code sinceNanos}. */
  synchronized Optional<Attempt> firstAcceptedElsewhere(String writer, long sinceNanos) {
    return all.stream()
        .filter(attempt -> attempt.outcome() == Outcome.ACCEPTED)
        .filter(attempt -> !attempt.writer().equals(writer))
        .filter(attempt -> attempt.answeredAtNanos() - sinceNanos > 0)
        .findFirst();
  }

  /** How many writes had this outcome at any of the processes. */
  synchronized long count(List<String> writers, Outcome outcome) {
    return all.stream()
        .filter(attempt -> attempt.outcome() == outcome && writers.contains(attempt.writer()))
        .count();
  }
}
