package io.portcullis.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** All write attempts so far, in the order of their outcomes. Thread-safe. */
final class WriteAttemptLog {
  private final List<WriteAttempt> all = new ArrayList<>();

  synchronized void add(WriteAttempt attempt) {
    all.add(attempt);
  }

  synchronized List<WriteAttempt> list() {
    return List.copyOf(all);
  }

  /** The first write after {@code sinceNanos} accepted by a process other than {@code writer}. */
  synchronized Optional<WriteAttempt> firstAcceptedElsewhere(String writer, long sinceNanos) {
    return all.stream()
        .filter(attempt -> attempt.outcome() == WriteOutcome.ACCEPTED)
        .filter(attempt -> !attempt.writer().equals(writer))
        .filter(attempt -> attempt.answeredAtNanos() - sinceNanos > 0)
        .findFirst();
  }

  /** Number of writes with this outcome at any of the processes. */
  synchronized long count(List<String> writers, WriteOutcome outcome) {
    return all.stream()
        .filter(attempt -> attempt.outcome() == outcome && writers.contains(attempt.writer()))
        .count();
  }
}
