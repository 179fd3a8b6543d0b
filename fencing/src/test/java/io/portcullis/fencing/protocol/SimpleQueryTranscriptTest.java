package io.portcullis.fencing.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Simple queries, and checks that need an exchange of their own. */
class SimpleQueryTranscriptTest {
  private static final String CHECK =
      "SELECT fences.fence_check_2('orders:writer'::pg_catalog.text, '7'::pg_catalog.int8,"
          + " 'node-a'::pg_catalog.text, false::pg_catalog.bool)";
  private static final String HOLD =
      "Q SET TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE;"
          + " SELECT fences.fence_hold_2('orders:writer'::pg_catalog.text, '7'::pg_catalog.int8,"
          + " 'node-a'::pg_catalog.text)"
          + " WHERE pg_catalog.pg_backend_pid() OPERATOR(pg_catalog.=) 4711";
  private static final String LET_GO =
      "Q SELECT fences.fence_let_go_2('orders:writer'::pg_catalog.text)";
  private static final String REFUSED = "portcullis refused a statement here";

  /** In a transaction without a check so far. */
  private static ProtocolScript inTransaction(int piece) throws IOException {
    ProtocolScript script = new ProtocolScript(piece);
    script.sends(List.of("Q BEGIN"), List.of("Q BEGIN"));
    script.reads(List.of("C BEGIN", "Z T"), "C BEGIN", "Z T");
    return script;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void queryIsCheckedByAPrefixWhoseResponseIsWithheld(int piece) throws IOException {
    ProtocolScript script = inTransaction(piece);

    script.sends(
        List.of("Q INSERT INTO t VALUES (1)"), List.of("Q " + CHECK + ";INSERT INTO t VALUES (1)"));
    script.reads(List.of("T x", "D x", "C SELECT 1", "C INSERT 0 1", "Z T"), "C INSERT 0 1", "Z T");
    script.sends(List.of("Q DELETE FROM t"), List.of("Q DELETE FROM t"));
    script.reads(List.of("C DELETE 1", "Z T"), "C DELETE 1", "Z T");
    script.client("Q COMMIT").server("C COMMIT", "Z I").sent();
    script.sends(List.of("Q DELETE FROM t"), List.of("Q " + CHECK + ";DELETE FROM t"));
    script.reads(
        List.of("T x", "D x", "C SELECT 1", "C DELETE 1", "Z I"),
        "C COMMIT",
        "Z I",
        "C DELETE 1",
        "Z I");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void refusedPrefixAndUnreadableQueryAreDriverErrors(int piece) throws IOException {
    ProtocolScript script = new ProtocolScript(piece);
    script.client("Q DELETE FROM t").sent();
    script.reads(List.of("T x", "E PCF01", "Z I"), "E PCF01", "Z I");
    assertThat(script.refusals).containsExactly("PCF01 under 7");

    script.client("Q DELETE FORM t").sent();
    script.reads(List.of("E 42601", "Z I"), "E 42601", "Z I");

    // The next one has a prefix of its own.
    script.client("Q DELETE FROM t").sent();
    script.reads(List.of("T x", "D x", "C SELECT 1", "C DELETE 1", "Z I"), "C DELETE 1", "Z I");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void ungatedWritesPassUnlessFenced(int piece) throws IOException {
    ProtocolScript script = inTransaction(piece);
    script.site.fencesUngated = false;

    script.sends(List.of("Q DELETE FROM t"), List.of("Q DELETE FROM t"));
    script.reads(List.of("C DELETE 1", "Z T"), "C DELETE 1", "Z T");
    script.site.pinned = 7;
    script.sends(List.of("Q DELETE FROM t"), List.of("Q " + CHECK + ";DELETE FROM t"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void allResultsOfAQueryReachTheDriver(int piece) throws IOException {
    ProtocolScript script = new ProtocolScript(piece);
    script.client("Q SELECT f(); SELECT 2").sent();

    script.reads(
        List.of("T x", "D x", "C SELECT 1", "T a", "D a", "C SELECT 1", "T b", "C SELECT 0", "Z I"),
        "T a",
        "D a",
        "C SELECT 1",
        "T b",
        "C SELECT 0",
        "Z I");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void copyInIsCheckedByAPrefixAndItsDataPasses(int piece) throws IOException {
    ProtocolScript script = new ProtocolScript(piece);
    script.sends(List.of("Q COPY t FROM STDIN"), List.of("Q " + CHECK + ";COPY t FROM STDIN"));
    script.reads(List.of("T x", "D x", "C SELECT 1", "G x"), "G x");
    script.sends(List.of("d 1", "d 2", "c"), List.of("d 1", "d 2", "c"));
    script.reads(List.of("C COPY 2", "Z I"), "C COPY 2", "Z I");
    script.sends(List.of("Q COPY t FROM STDIN"), List.of("Q " + CHECK + ";COPY t FROM STDIN"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void copyInByTheExtendedProtocolLosesItsSync(int piece) throws IOException {
    ProtocolScript script = inTransaction(piece);
    script.client("P |COPY t FROM STDIN", "B |", "E", "S").sent();
    script.reads(
        List.of("1", "3", "1", "3", "1", "2", "D", "C SELECT 1", "2", "G x"), "1", "2", "G x");
    script.client("f no", "S");
    script.reads(List.of("E 57014", "Z E"), "E 57014", "Z E");
    script.client("Q ROLLBACK");
    script.reads(List.of("C ROLLBACK", "Z I"), "C ROLLBACK", "Z I");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void standaloneStatementHoldsAndReleasesTheLock(int piece) throws IOException {
    ProtocolScript script = new ProtocolScript(piece);
    script.willAnswer("3", "T x", "D x", "C SELECT 1", "Z I");
    script.sends(
        List.of("C Sold", "P |CALL p()", "B |", "E", "S"),
        List.of("C Sold", HOLD, "P |CALL p()", "B |", "E", "S"));

    script.reads(List.of("1", "2", "C CALL", "Z I"), "3", "1", "2", "C CALL");
    assertThat(script.sent()).containsExactly(LET_GO);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void driverIsReadyOnceTheLockIsReleased(int piece) throws IOException {
    ProtocolScript script = new ProtocolScript(piece);
    script.willAnswer("T x", "D x", "C SELECT 1", "Z I");
    script.sends(List.of("Q VACUUM"), List.of(HOLD, "Q VACUUM"));
    script.reads(List.of("E 42501", "Z I"), "E 42501");
    script.reads(List.of("T x", "D x", "C SELECT 1", "Z I"), "Z I");

    assertThat(script.sent()).containsExactly(LET_GO);

    script.willAnswer("T x", "C SELECT 0", "Z I");
    // Another session has answered: a pooler is in between.
    script.sends(List.of("Q VACUUM"), List.of(HOLD, "Q " + REFUSED));
    script.reads(List.of("E 42601", "Z I"), "E PCF03", "Z I");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void standaloneStatementWaitsForEarlierResponses(int piece) throws IOException {
    ProtocolScript script = new ProtocolScript(piece);
    script.client("C Sold", "S").sent();
    script.willAnswer("3", "Z I", "T x", "D x", "C SELECT 1", "Z I");
    script.sends(List.of("Q VACUUM"), List.of(HOLD, "Q VACUUM"));
    assertThat(script.read()).containsExactly("3", "Z I");

    ProtocolScript other = new ProtocolScript(piece);
    other.client("Q BEGIN").sent();
    other.willAnswer("C BEGIN", "Z T");
    other.sends(List.of("Q VACUUM"), List.of("Q " + CHECK + ";VACUUM"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void laterMessagesWaitUntilTheLockIsReleased(int piece) throws IOException {
    ProtocolScript script = new ProtocolScript(piece);
    script.willAnswer("T x", "D x", "C SELECT 1", "Z I");
    script.client("Q VACUUM").sent();
    script.willAnswer("C VACUUM", "Z I", "T x", "D x", "C SELECT 1", "Z I");
    script.sends(List.of("Q DELETE FROM t"), List.of(LET_GO, "Q " + CHECK + ";DELETE FROM t"));
    assertThat(script.read()).containsExactly("C VACUUM", "Z I");
    script.reads(List.of("T x", "D x", "C SELECT 1", "C DELETE 1", "Z I"), "C DELETE 1", "Z I");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void refusedHoldAnswersTheUnsentGroup(int piece) throws IOException {
    ProtocolScript script = new ProtocolScript(piece);
    script.willAnswer("E PCF01", "Z I");
    script.sends(List.of("P |CALL p()", "B |", "E", "S"), List.of(HOLD));
    assertThat(script.read()).containsExactly("E PCF01", "Z I");
    assertThat(script.refusals).containsExactly("PCF01 under 7");

    script.sends(List.of("P |SELECT 1", "B |", "E", "S"), List.of("P |SELECT 1", "B |", "E", "S"));
    script.reads(List.of("1", "2", "C SELECT 1", "Z I"), "1", "2", "C SELECT 1", "Z I");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void standaloneStatementInAGroupIsRolledBack(int piece) throws IOException {
    ProtocolScript script = new ProtocolScript(piece);
    script.sends(
        List.of("P |SELECT 1", "B |", "E", "P |CALL p()", "B |", "E", "S"),
        List.of(
            "P |SELECT 1",
            "B |",
            "E",
            "P |CALL p()",
            "B |",
            "P portcullis_refused|" + REFUSED,
            "E",
            "S"));
    script.reads(
        List.of("1", "2", "C SELECT 1", "1", "2", "E 42601", "Z I"),
        "1",
        "2",
        "C SELECT 1",
        "1",
        "2",
        "E PCF03",
        "Z I");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void twoPhaseCommitIsRefusedInBothProtocols(int piece) throws IOException {
    ProtocolScript script = inTransaction(piece);
    script.sends(List.of("Q PREPARE TRANSACTION 'x'"), List.of("Q " + REFUSED));
    script.reads(List.of("E 42601", "Z E"), "E PCF03", "Z E");
    script.sends(
        List.of("P |COMMIT PREPARED 'x'", "B |", "E", "S"),
        List.of("P |COMMIT PREPARED 'x'", "B |", "P portcullis_refused|" + REFUSED, "E", "S"));
    script.reads(List.of("1", "2", "E 42601", "Z I"), "1", "2", "E PCF03", "Z I");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void functionCallIsCheckedInATransactionAndRefusedOutside(int piece) throws IOException {
    ProtocolScript script = inTransaction(piece);
    script.willAnswer("T x", "D x", "C SELECT 1", "Z T");
    script.sends(List.of("F"), List.of("Q " + CHECK, "F"));
    script.reads(List.of("V", "Z T"), "V", "Z T");
    script.sends(List.of("F"), List.of("F"));
    script.reads(List.of("V", "Z T"), "V", "Z T");
    script.client("Q ROLLBACK").server("C ROLLBACK", "Z I").sent();
    script.read();

    script.sends(List.of("F"), List.of("Q " + REFUSED));
    script.reads(List.of("E 42601", "Z I"), "E PCF03", "Z I");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void functionCallThatIsRefusedByTheServerIsNotSent(int piece) throws IOException {
    ProtocolScript script = inTransaction(piece);
    script.willAnswer("E PCF01", "Z E");
    script.sends(List.of("F"), List.of("Q " + CHECK));
    assertThat(script.read()).containsExactly("E PCF01", "Z E");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void fenceThatIsNotReadyIsReportedWithItsOwnMessage(int piece) throws IOException {
    ProtocolScript script = new ProtocolScript(piece);
    script.site.notReady = "Install it.";
    script.sends(List.of("Q DELETE FROM t"), List.of("Q " + REFUSED));
    script.reads(List.of("E 42601", "Z I"), "E PCF03", "Z I");
    script.sends(List.of("Q VACUUM"), List.of("Q " + REFUSED));
    script.reads(List.of("E 42601", "Z I"), "E PCF03", "Z I");
    script.sends(List.of("Q SELECT 1"), List.of("Q SELECT 1"));
  }
}
