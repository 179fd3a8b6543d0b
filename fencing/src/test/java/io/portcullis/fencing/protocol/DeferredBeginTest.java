package io.portcullis.fencing.protocol;

import static io.portcullis.fencing.protocol.ProtocolScript.CHECKED;
import static io.portcullis.fencing.protocol.ProtocolScript.PREPARED;
import static io.portcullis.fencing.protocol.ProtocolScript.all;
import static io.portcullis.fencing.protocol.ProtocolScript.check;
import static io.portcullis.fencing.protocol.ProtocolScript.checkApart;
import static io.portcullis.fencing.protocol.ProtocolScript.prepare;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A BEGIN that the driver sends as a query, before statements that it has prepared. */
class DeferredBeginTest {
  private static final List<String> BEGUN = List.of("B |portcullis_begin", "E");
  private static final List<String> INSERT = List.of("B |i", "E", "S");

  /** A connection on which {@code i} writes and {@code s} reads, after a first transaction. */
  private static ProtocolScript prepared(int piece) throws IOException {
    ProtocolScript script = new ProtocolScript(piece);
    script.client("P i|INSERT INTO t VALUES (1)", "P s|SELECT n FROM t", "S").sent();
    script.server("1", "1", "Z I").read();
    script.sends(all("Q BEGIN", INSERT), all("Q BEGIN", prepare(7, 'f'), check(7, 'f'), INSERT));
    script.reads(
        all("C BEGIN", "Z T", PREPARED, CHECKED, "2", "C INSERT 0 1", "Z T"),
        "C BEGIN",
        "Z T",
        "2",
        "C INSERT 0 1",
        "Z T");
    commit(script);
    return script;
  }

  private static void commit(ProtocolScript script) throws IOException {
    script.sends(List.of("Q COMMIT"), List.of("Q COMMIT"));
    script.reads(List.of("C COMMIT", "Z I"), "C COMMIT", "Z I");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 1000})
  void beginIsSentWithTheCheckAndAnsweredAsTheDriverExpects(int piece) throws IOException {
    ProtocolScript script = prepared(piece);
    for (int i = 0; i < 2; i++) {
      script.sends(all("Q BEGIN", INSERT), all(BEGUN, check(7, 'f'), INSERT));
      script.reads(
          all("2", "C BEGIN", CHECKED, "2", "C INSERT 0 1", "Z T"),
          "C BEGIN",
          "Z T",
          "2",
          "C INSERT 0 1",
          "Z T");
      // The check is valid for the whole transaction, and not beyond.
      script.sends(INSERT, INSERT);
      script.reads(List.of("2", "C INSERT 0 1", "Z T"), "2", "C INSERT 0 1", "Z T");
      commit(script);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void beginBeforeOtherMessagesIsSentUnchanged(int piece) throws IOException {
    for (List<String> next :
        List.of(
            List.of("B |s", "E", "S"),
            List.of("P |SELECT n FROM t", "S"),
            List.of("C Ss", "S"),
            List.of("D Si", "S"),
            List.of("Q SELECT n FROM t"),
            List.of("S"),
            List.of("X"))) {
      ProtocolScript script = prepared(piece);
      script.sends(all("Q BEGIN", next), all("Q BEGIN", next));
    }
    ProtocolScript waiting = prepared(piece);
    waiting.sends(List.of("Q BEGIN"), List.of("Q BEGIN"));
    waiting.reads(List.of("C BEGIN", "Z T"), "C BEGIN", "Z T");
    waiting.sends(INSERT, all(check(7, 'f'), INSERT));
  }

  @ParameterizedTest
  @ValueSource(strings = {"begin", " BEGIN", "BEGIN;", "BEGIN READ ONLY", "START TRANSACTION"})
  void noOtherQueryIsDeferred(String text) throws IOException {
    ProtocolScript script = prepared(1000);
    script.sends(all("Q " + text, INSERT), all("Q " + text, check(7, 'f'), INSERT));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void beginIsNotDeferredInAnOpenOrUnknownTransaction(int piece) throws IOException {
    ProtocolScript script = prepared(piece);
    script.client("Q BEGIN").sent();
    script.sends(all("Q BEGIN", INSERT), all("Q BEGIN", check(7, 'f'), INSERT));
    script.server("C BEGIN", "Z T", "C BEGIN", "Z T");
    script.server("2", "D", "C SELECT 1", "2", "C INSERT 0 1", "Z T");
    script.sends(all("Q BEGIN", INSERT), all("Q BEGIN", check(7, 'f'), INSERT));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void refusedCheckFailsTheTransactionThatHasBegun(int piece) throws IOException {
    ProtocolScript script = prepared(piece);
    script.client(all("Q BEGIN", INSERT).toArray(String[]::new)).sent();

    script.reads(
        List.of("2", "C BEGIN", "2", "E PCF01", "Z E"), "C BEGIN", "Z T", "E PCF01", "Z E");
    assertThat(script.refusals).containsExactly("PCF01 under 7");
    script.client("Q ROLLBACK").sent();
    script.reads(List.of("C ROLLBACK", "Z I"), "C ROLLBACK", "Z I");
    script.sends(all("Q BEGIN", INSERT), all(BEGUN, check(7, 'f'), INSERT));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void lostBeginStillHasItsResponsesInOrder(int piece) throws IOException {
    ProtocolScript script = prepared(piece);
    script.client(all("Q BEGIN", INSERT).toArray(String[]::new)).sent();

    script.reads(List.of("E 26000", "Z I"), "C BEGIN", "Z T", "E 26000", "Z I");
    script.client(all("Q BEGIN", INSERT).toArray(String[]::new));
    assertThat(script.sent()).startsWith("Q BEGIN");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void statementsClosedBeforeTheBeginChangeNothing(int piece) throws IOException {
    ProtocolScript script = prepared(piece);
    script.sends(all("C Ss", "Q BEGIN", INSERT), all("C Ss", BEGUN, check(7, 'f'), INSERT));
    script.reads(
        all("3", "2", "C BEGIN", CHECKED, "2", "C INSERT 0 1", "Z T"),
        "3",
        "C BEGIN",
        "Z T",
        "2",
        "C INSERT 0 1",
        "Z T");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void portalOfACursorIsBoundAfterTheBegin(int piece) throws IOException {
    ProtocolScript script = prepared(piece);
    List<String> cursor = List.of("B c|i", "E c", "S");
    script.sends(all("Q BEGIN", cursor), all(BEGUN, checkApart(7, 'f'), cursor));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void missingFenceRefusesTheStatementInItsTransaction(int piece) throws IOException {
    ProtocolScript script = prepared(piece);
    script.site.notReady = "Not yet.";
    script.sends(
        all("Q BEGIN", INSERT),
        all("Q BEGIN", "P portcullis_refused|portcullis refused a statement here", INSERT));
    script.reads(List.of("C BEGIN", "Z T", "E 42601", "Z E"), "C BEGIN", "Z T", "E PCF03", "Z E");
  }
}
