package io.portcullis.demo;

import static io.portcullis.demo.WriteOutcome.ACCEPTED;
import static io.portcullis.demo.WriteOutcome.FAILED;
import static io.portcullis.demo.WriteOutcome.REFUSED;
import static io.portcullis.demo.WriteOutcome.UNANSWERED;
import static io.portcullis.demo.WriteOutcome.UNREACHABLE;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class VerdictTest {
  private final List<WriteAttempt> attempts = new ArrayList<>();
  private final List<String> journal = new ArrayList<>();
  private final List<LoggedTenure> tenures = new ArrayList<>();

  @Test
  void runWithWritersInEpochOrderHolds() {
    led("a", 7);
    led("b", 8);
    led("c", 10);
    stored("a-1", "a");
    stored("a-2", "a");
    asked("b-1", "b", REFUSED);
    asked("a-3", "a", UNREACHABLE);
    stored("b-2", "b");
    stored("c-1", "c");

    ConsistencyVerdict verdict = verdict();

    assertThat(verdict.holds()).isTrue();
    assertThat(violations(verdict)).isEmpty();
    assertThat(verdict.findings())
        .extracting(Finding::measure)
        .containsExactly("4 writes", "4 lines, 0 such", "1 refused", "3 turns, 3 epochs");
  }

  @Test
  void writeWithLostResponseMayBeStoredOrNot() {
    led("a", 7);
    stored("a-1", "a");
    asked("a-2", "a", UNANSWERED);
    line("a-2", "a");
    asked("a-3", "a", UNANSWERED);

    assertThat(verdict().holds()).isTrue();
  }

  @Test
  void missingAcknowledgedWriteIsAViolation() {
    led("a", 7);
    stored("a-1", "a");
    asked("a-2", "a", ACCEPTED);

    assertThat(violations(verdict()))
        .containsExactly("a-2 was acknowledged but is not in the journal");
  }

  @Test
  void duplicateAcknowledgedWriteIsAViolation() {
    led("a", 7);
    stored("a-1", "a");
    line("a-1", "a");

    assertThat(violations(verdict()))
        .containsExactly("a-1 was acknowledged and is in the journal on lines [1, 2]");
  }

  @Test
  void acknowledgedWriteByAnotherWriterIsAViolation() {
    led("a", 7);
    led("b", 8);
    asked("a-1", "a", ACCEPTED);
    line("a-1", "b");

    assertThat(violations(verdict()))
        .containsExactly("a-1 was acknowledged by a, but line 1 was written by b");
  }

  @Test
  void duplicateWriteWithLostResponseIsAViolation() {
    led("a", 7);
    stored("a-1", "a");
    asked("a-2", "a", UNANSWERED);
    line("a-2", "a");
    line("a-2", "a");

    assertThat(violations(verdict())).containsExactly("line 3: a-2 is already on line 2");
  }

  @ParameterizedTest
  @EnumSource(names = {"REFUSED", "UNREACHABLE", "FAILED"})
  void storedWriteThatWasNotAcceptedIsAViolation(WriteOutcome outcome) {
    led("a", 7);
    stored("a-1", "a");
    asked("a-2", "a", outcome);
    line("a-2", "a");

    assertThat(outcome).isIn(REFUSED, UNREACHABLE, FAILED);
    assertThat(violations(verdict())).contains("line 2: a-2 was " + outcome + " but was written");
  }

  @Test
  void unexpectedResponseIsAViolation() {
    led("a", 7);
    stored("a-1", "a");
    asked("b-1", "b", FAILED);

    assertThat(violations(verdict())).containsExactly("b-1 got another response");
  }

  @Test
  void unrequestedWriteIsAViolation() {
    led("a", 7);
    stored("a-1", "a");
    line("x-1", "a");

    assertThat(violations(verdict())).containsExactly("line 2: no client requested x-1");
  }

  @Test
  void tornLineIsAViolation() {
    led("a", 7);
    stored("a-1", "a");
    journal.add("{\"id\":\"a-2\",\"wri");

    assertThat(violations(verdict())).containsExactly("line 2 is not a transfer");
  }

  @Test
  void writerThatReturnsUnderItsOldEpochIsAViolation() {
    led("a", 7);
    led("b", 8);
    stored("a-1", "a");
    stored("b-1", "b");
    stored("a-2", "a");
    stored("b-2", "b");

    assertThat(violations(verdict()))
        .containsExactly(
            "line 3: a wrote after b, but did not lead after it",
            "line 4: b wrote after a, but did not lead after it");
  }

  @Test
  void writerMayReturnWithAHigherEpoch() {
    led("a", 7);
    led("b", 8);
    led("a", 9);
    stored("a-1", "a");
    stored("b-1", "b");
    stored("a-2", "a");

    assertThat(verdict().holds()).isTrue();
  }

  @Test
  void writersOutOfEpochOrderAreAViolation() {
    led("a", 8);
    led("b", 7);
    stored("a-1", "a");
    stored("b-1", "b");

    assertThat(violations(verdict()))
        .containsExactly("line 2: b wrote after a, but did not lead after it");
  }

  @Test
  void writerThatNeverLedIsAViolation() {
    led("a", 7);
    stored("b-1", "b");

    assertThat(violations(verdict()))
        .containsExactly("line 1: b wrote, but no log shows that it led");
  }

  @Test
  void oneEpochWithTwoLeadersIsAViolation() {
    led("a", 7);
    led("b", 7);
    stored("a-1", "a");
    stored("b-1", "b");

    assertThat(violations(verdict())).containsExactly("epoch 7 had two leaders: a, b");
  }

  @Test
  void leaderWithoutWritesIsAllowed() {
    led("a", 7);
    led("b", 8);
    led("b", 9);
    led("c", 10);
    stored("a-1", "a");
    stored("c-1", "c");

    assertThat(verdict().holds()).isTrue();
  }

  @Test
  void runWithoutAcknowledgedWritesIsAViolation() {
    assertThat(violations(verdict()))
        .containsExactly("no write was acknowledged, so nothing can be checked");
  }

  private void led(String writer, long epoch) {
    tenures.add(0, new LoggedTenure(writer, epoch)); // Logs come in any order.
  }

  private void asked(String id, String writer, WriteOutcome outcome) {
    attempts.add(new WriteAttempt(id, writer, outcome, attempts.size()));
  }

  private void line(String id, String writer) {
    journal.add("{\"id\":\"" + id + "\",\"from\":\"x\",\"writer\":\"" + writer + "\"}");
  }

  private void stored(String id, String writer) {
    asked(id, writer, ACCEPTED);
    line(id, writer);
  }

  private ConsistencyVerdict verdict() {
    return ConsistencyVerdict.of(attempts, JournalEntry.parse(journal), tenures);
  }

  private static List<String> violations(ConsistencyVerdict verdict) {
    return verdict.findings().stream().flatMap(finding -> finding.violations().stream()).toList();
  }
}
