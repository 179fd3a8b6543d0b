package io.portcullis.demo;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Consistency check of the clients' responses, the journal and the nodes' logs. */
record ConsistencyVerdict(List<Finding> findings) {

  /**
   * Checks a finished run.
   *
   * @param attempts all writes requested by clients
   * @param journal all lines of the journal, in order
   * @param tenures the tenures of all processes, in any order
   */
  static ConsistencyVerdict of(
      List<WriteAttempt> attempts, List<JournalEntry> journal, List<LoggedTenure> tenures) {
    return new ConsistencyVerdict(
        List.of(
            acknowledgedOnce(attempts, journal),
            noOtherEntries(attempts, journal),
            expectedResponses(attempts),
            epochOrder(journal, tenures)));
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
                + (found.isEmpty()
                    ? " was acknowledged but is not in the journal"
                    : " was acknowledged and is in the journal on lines " + lines(found)));
      } else if (!found.get(0).writer().equals(attempt.writer())) {
        violations.add(
            String.format(
                Locale.ROOT,
                "%s was acknowledged by %s, but line %d was written by %s",
                attempt.id(),
                attempt.writer(),
                found.get(0).line(),
                found.get(0).writer()));
      }
    }
    if (acknowledged == 0) {
      violations.add("no write was acknowledged, so nothing can be checked");
    }
    return new Finding(
        "Every acknowledged write is in the journal exactly once",
        String.format(Locale.ROOT, "%,d writes", acknowledged),
        violations);
  }

  private static List<Integer> lines(List<JournalEntry> entries) {
    return entries.stream().map(JournalEntry::line).toList();
  }

  private static Finding noOtherEntries(List<WriteAttempt> attempts, List<JournalEntry> journal) {
    Map<String, WriteOutcome> outcomes = new HashMap<>();
    attempts.forEach(attempt -> outcomes.put(attempt.id(), attempt.outcome()));
    Map<String, Integer> unansweredOn = new HashMap<>();
    List<String> violations = new ArrayList<>();
    for (JournalEntry entry : journal) {
      WriteOutcome outcome = outcomes.get(entry.id());
      String where = "line " + entry.line();
      if (!entry.isTransfer()) {
        violations.add(where + " is not a transfer");
      } else if (outcome == null) {
        violations.add(where + ": no client requested " + entry.id());
      } else if (outcome == WriteOutcome.UNANSWERED) {
        Integer first = unansweredOn.putIfAbsent(entry.id(), entry.line());
        if (first != null) {
          violations.add(where + ": " + entry.id() + " is already on line " + first);
        }
      } else if (outcome != WriteOutcome.ACCEPTED) {
        violations.add(where + ": " + entry.id() + " was " + outcome + " but was written");
      }
    }
    return new Finding(
        "Other entries are only writes whose response was lost",
        String.format(Locale.ROOT, "%,d lines, %,d such", journal.size(), unansweredOn.size()),
        violations);
  }

  private static Finding expectedResponses(List<WriteAttempt> attempts) {
    return new Finding(
        "Every response was 201 (stored) or 503 (refused)",
        String.format(
            Locale.ROOT,
            "%,d refused",
            attempts.stream().filter(attempt -> attempt.outcome() == WriteOutcome.REFUSED).count()),
        attempts.stream()
            .filter(attempt -> attempt.outcome() == WriteOutcome.FAILED)
            .map(attempt -> attempt.id() + " got another response")
            .toList());
  }

  /**
   * Assigns each run of lines by one writer to a tenure of that writer whose epoch is higher than
   * that of the run before. Choosing the lowest possible epoch leaves the most tenures for later
   * runs.
   */
  private static Finding epochOrder(List<JournalEntry> journal, List<LoggedTenure> tenures) {
    List<LoggedTenure> byEpoch =
        tenures.stream()
            .sorted(
                Comparator.comparingLong(LoggedTenure::epoch).thenComparing(LoggedTenure::writer))
            .toList();
    List<String> violations = new ArrayList<>(sharedEpochs(byEpoch));
    String writer = "";
    int next = 0;
    int runs = 0;
    for (JournalEntry entry : journal) {
      if (!entry.isTransfer() || entry.writer().equals(writer)) {
        continue;
      }
      int found = next;
      while (found < byEpoch.size() && !byEpoch.get(found).writer().equals(entry.writer())) {
        found++;
      }
      if (found == byEpoch.size()) {
        violations.add(outOfOrder(entry, writer));
      } else {
        next = found + 1;
      }
      writer = entry.writer();
      runs++;
    }
    return new Finding(
        "The writers took turns in the order of their epochs",
        String.format(Locale.ROOT, "%d turns, %d epochs", runs, tenures.size()),
        violations);
  }

  private static String outOfOrder(JournalEntry entry, String before) {
    String wrote = "line " + entry.line() + ": " + entry.writer() + " wrote";
    return before.isEmpty()
        ? wrote + ", but no log shows that it led"
        : wrote + " after " + before + ", but did not lead after it";
  }

  private static List<String> sharedEpochs(List<LoggedTenure> byEpoch) {
    List<String> violations = new ArrayList<>();
    for (int i = 1; i < byEpoch.size(); i++) {
      LoggedTenure one = byEpoch.get(i - 1);
      LoggedTenure other = byEpoch.get(i);
      if (one.epoch() == other.epoch()) {
        violations.add(
            "epoch " + one.epoch() + " had two leaders: " + one.writer() + ", " + other.writer());
      }
    }
    return violations;
  }
}
