package io.portcullis.demo;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What the answers to clients, the journal and the nodes' logs say together. */
record ConsistencyVerdict(List<Finding> findings) {

  /**
   * Judges a finished run.
   *
   * @param attempts all writes that were asked for
   * @param journal all lines of the journal, in order
   * @param tenures the tenures of all processes, in any order
   */
  static ConsistencyVerdict of(
      List<WriteAttempt> attempts, List<JournalEntry> journal, List<LoggedTenure> tenures) {
    return new ConsistencyVerdict(
        List.of(
            acknowledgedOnce(attempts, journal),
            nothingElse(attempts, journal),
            plainAnswers(attempts),
            tookTurns(journal, tenures)));
  }

  boolean holds() {
    return findings.stream().allMatch(Finding::holds);
  }

  private static Finding acknowledgedOnce(List<WriteAttempt> attempts, List<JournalEntry> journal) {
    Map<String, List<JournalEntry>> byId = new HashMap<>();
    journal.forEach(entry -> byId.computeIfAbsent(entry.id(), id -> new ArrayList<>()).add(entry));
    List<String> violations = new ArrayList<>();
    long acknowledged = 0;
    for (WriteAttempt attempt : attempts) {
      if (attempt.outcome() != WriteOutcome.ACCEPTED) {
        continue;
      }
      acknowledged++;
      List<JournalEntry> found = byId.getOrDefault(attempt.id(), List.of());
      if (found.size() != 1) {
        violations.add(
            attempt.id()
                + " was acknowledged and is in the journal "
                + (found.isEmpty() ? "nowhere" : "on lines " + lines(found)));
      } else if (!found.get(0).writer().equals(attempt.writer())) {
        violations.add(
            String.format(
                Locale.ROOT,
                "%s was acknowledged by %s, yet line %d is by %s",
                attempt.id(),
                attempt.writer(),
                found.get(0).line(),
                found.get(0).writer()));
      }
    }
    if (acknowledged == 0) {
      violations.add("no write was acknowledged, so there is nothing to judge");
    }
    return new Finding(
        "Every acknowledged write is in the journal, once",
        String.format(Locale.ROOT, "%,d writes", acknowledged),
        violations);
  }

  private static List<Integer> lines(List<JournalEntry> entries) {
    return entries.stream().map(JournalEntry::line).toList();
  }

  private static Finding nothingElse(List<WriteAttempt> attempts, List<JournalEntry> journal) {
    Map<String, WriteOutcome> outcomes = new HashMap<>();
    attempts.forEach(attempt -> outcomes.put(attempt.id(), attempt.outcome()));
    Map<String, Integer> unansweredOn = new HashMap<>();
    List<String> violations = new ArrayList<>();
    for (JournalEntry entry : journal) {
      WriteOutcome outcome = outcomes.get(entry.id());
      String where = "line " + entry.line();
      if (!entry.isTransfer()) {
        violations.add(where + " is no transfer");
      } else if (outcome == null) {
        violations.add(where + ": nobody asked for " + entry.id());
      } else if (outcome == WriteOutcome.UNANSWERED) {
        Integer first = unansweredOn.putIfAbsent(entry.id(), entry.line());
        if (first != null) {
          violations.add(where + ": " + entry.id() + " is already on line " + first);
        }
      } else if (outcome != WriteOutcome.ACCEPTED) {
        violations.add(where + ": " + entry.id() + " was " + outcome + ", yet it was written");
      }
    }
    return new Finding(
        "Nothing else is in it but writes whose answer was lost",
        String.format(Locale.ROOT, "%,d lines, %,d such", journal.size(), unansweredOn.size()),
        violations);
  }

  private static Finding plainAnswers(List<WriteAttempt> attempts) {
    return new Finding(
        "Every answer was yes or not now (201 or 503)",
        String.format(
            Locale.ROOT,
            "%,d refused",
            attempts.stream().filter(attempt -> attempt.outcome() == WriteOutcome.REFUSED).count()),
        attempts.stream()
            .filter(attempt -> attempt.outcome() == WriteOutcome.FAILED)
            .map(attempt -> attempt.id() + " got another answer")
            .toList());
  }

  /**
   * Each run of lines by one writer must belong to a tenure of it with a higher epoch than the run
   * before. Taking the lowest epoch that fits leaves the most for the runs that follow.
   */
  private static Finding tookTurns(List<JournalEntry> journal, List<LoggedTenure> tenures) {
    List<LoggedTenure> byEpoch =
        tenures.stream()
            .sorted(
                Comparator.comparingLong(LoggedTenure::epoch).thenComparing(LoggedTenure::writer))
            .toList();
    List<String> violations = new ArrayList<>(sharedEpochs(byEpoch));
    String writing = "";
    int next = 0;
    int runs = 0;
    for (JournalEntry entry : journal) {
      if (!entry.isTransfer() || entry.writer().equals(writing)) {
        continue;
      }
      int found = next;
      while (found < byEpoch.size() && !byEpoch.get(found).writer().equals(entry.writer())) {
        found++;
      }
      if (found == byEpoch.size()) {
        violations.add(outOfTurn(entry, writing));
      } else {
        next = found + 1;
      }
      writing = entry.writer();
      runs++;
    }
    return new Finding(
        "The writers took turns, in the order of their epochs",
        String.format(Locale.ROOT, "%d turns, %d epochs", runs, tenures.size()),
        violations);
  }

  private static String outOfTurn(JournalEntry entry, String before) {
    String wrote = "line " + entry.line() + ": " + entry.writer() + " wrote";
    return before.isEmpty()
        ? wrote + ", but no log says that it led"
        : wrote + " after " + before + ", but did not lead after it";
  }

  private static List<String> sharedEpochs(List<LoggedTenure> byEpoch) {
    List<String> violations = new ArrayList<>();
    for (int i = 1; i < byEpoch.size(); i++) {
      LoggedTenure one = byEpoch.get(i - 1);
      LoggedTenure other = byEpoch.get(i);
      if (one.epoch() == other.epoch()) {
        violations.add(
            "epoch " + one.epoch() + " was led by " + one.writer() + " and " + other.writer());
      }
    }
    return violations;
  }
}
