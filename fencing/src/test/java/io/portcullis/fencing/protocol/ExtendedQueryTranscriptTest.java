package io.portcullis.fencing.protocol;

import static io.portcullis.fencing.protocol.ProtocolScript.CHECKED;
import static io.portcullis.fencing.protocol.ProtocolScript.INSERT;
import static io.portcullis.fencing.protocol.ProtocolScript.PREPARED;
import static io.portcullis.fencing.protocol.ProtocolScript.afterFirstWrite;
import static io.portcullis.fencing.protocol.ProtocolScript.all;
import static io.portcullis.fencing.protocol.ProtocolScript.check;
import static io.portcullis.fencing.protocol.ProtocolScript.checkApart;
import static io.portcullis.fencing.protocol.ProtocolScript.name;
import static io.portcullis.fencing.protocol.ProtocolScript.parse;
import static io.portcullis.fencing.protocol.ProtocolScript.prepare;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages on a connection, one by one, in pieces of any size. */
class ExtendedQueryTranscriptTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 1000})
  void eachWriteOutsideOfATransactionIsChecked(int piece) throws IOException {
    ProtocolScript script = afterFirstWrite(piece);

    script.sends(List.of(INSERT, "B |", "E", "S"), all(INSERT, check(7, 'f'), "B |", "E", "S"));
    script.reads(all("1", CHECKED, "2", "C INSERT 0 1", "Z I"), "1", "2", "C INSERT 0 1", "Z I");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 1000})
  void readsPassUnchanged(int piece) throws IOException {
    ProtocolScript script = new ProtocolScript(piece);
    List<String> select = List.of("P |SELECT n FROM t", "B |", "D P", "E", "S");

    script.sends(select, select);
    script.reads(
        List.of("1", "N 00000", "2", "T x", "D a", "D b", "S a|b", "C SELECT 2", "A x", "Z I"),
        "1",
        "N 00000",
        "2",
        "T x",
        "D a",
        "D b",
        "S a|b",
        "C SELECT 2",
        "A x",
        "Z I");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void secondWriteOfATransactionIsNotCheckedAgain(int piece) throws IOException {
    ProtocolScript script = afterFirstWrite(piece);
    script.sends(
        List.of("P |BEGIN", "B |", "E", INSERT, "B |", "E", "S"),
        all("P |BEGIN", "B |", "E", INSERT, check(7, 'f'), "B |", "E", "S"));
    script.server("1", "2", "C BEGIN", "1", "2", "D", "C SELECT 1", "2", "C INSERT 0 1", "Z T");

    script.sends(List.of(INSERT, "B |", "E", "S"), List.of(INSERT, "B |", "E", "S"));
    script.server("1", "2", "C INSERT 0 1", "Z T");

    // A write without a response may have failed, and another transaction may follow.
    script.client("P |SELECT 1", "B |", "E", "S").sent();
    script.sends(List.of(INSERT, "B |", "E", "S"), all(INSERT, check(7, 'f'), "B |", "E", "S"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"ROLLBACK TO a", "COMMIT", "COMMIT AND CHAIN", "END", "ABORT", "ROLLBACK; BEGIN"})
  void statementThatMayEndTheTransactionCausesANewCheck(String end) throws IOException {
    ProtocolScript script = afterFirstWrite(1000);
    script.client("P |BEGIN", "B |", "E", INSERT, "B |", "E", "S").sent();
    script.server("1", "2", "C BEGIN", "1", "2", "D", "C SELECT 1", "2", "C INSERT 0 1", "Z T");
    script.client("P s|" + end, "B |s", "E", "S").sent();
    script.server("1", "2", "C ROLLBACK", "Z T");

    script.sends(List.of(INSERT, "B |", "E", "S"), all(INSERT, check(7, 'f'), "B |", "E", "S"));
    script.server("1", "2", "D", "C SELECT 1", "2", "C INSERT 0 1", "Z T");
    script.sends(
        List.of("B |s", "E", INSERT, "B |", "E", "S"),
        all("B |s", "E", INSERT, check(7, 'f'), "B |", "E", "S"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void namedPortalDoesNotChangeTheUnnamedPortal(int piece) throws IOException {
    ProtocolScript script = afterFirstWrite(piece);
    script.sends(
        List.of(
            "P |SELECT n FROM t",
            "B |",
            "P i|" + "INSERT INTO t VALUES (1)",
            "B p|i",
            "E p",
            "E",
            "S"),
        all(
            "P |SELECT n FROM t",
            "B |",
            "P i|INSERT INTO t VALUES (1)",
            checkApart(7, 'f'),
            "B p|i",
            "E p",
            "E",
            "S"));
    script.reads(
        all("1", "2", "1", CHECKED, "3", "2", "C INSERT 0 1", "C SELECT 0", "Z I"),
        "1",
        "2",
        "1",
        "2",
        "C INSERT 0 1",
        "C SELECT 0",
        "Z I");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void portalBoundBeforeCommitIsCheckedBeforeExecution(int piece) throws IOException {
    ProtocolScript script = afterFirstWrite(piece);
    script.sends(
        List.of("P i|INSERT INTO t VALUES (1)", "B p|i", "P |COMMIT", "B |", "E", "E p", "S"),
        all(
            "P i|INSERT INTO t VALUES (1)",
            checkApart(7, 'f'),
            "B p|i",
            "P |COMMIT",
            "B |",
            "E",
            checkApart(7, 'f'),
            "E p",
            "S"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void batchIsCheckedOncePerGroup(int piece) throws IOException {
    ProtocolScript script = afterFirstWrite(piece);
    script.client("P i|INSERT INTO t VALUES ($1)", "B |i", "E", "B |i", "E", "S").sent();
    script.server("1", "2", "D", "C SELECT 1", "2", "C INSERT 0 1", "2", "C INSERT 0 1");
    script.server("Z I");

    script.sends(
        List.of("B |i", "E", "B |i", "E", "S", "B |i", "E", "B |i", "E", "S"),
        all(
            all(check(7, 'f'), "B |i", "E", "B |i", "E", "S"),
            all(check(7, 'f'), "B |i", "E", "B |i", "E", "S")));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void errorBeforeTheCheckDropsItsResponsesToo(int piece) throws IOException {
    ProtocolScript script = new ProtocolScript(piece);
    script.client("P |SELECT 1 / 0", "B |", "E", INSERT, "B |", "E", "S").sent();

    script.reads(List.of("1", "2", "E 22012", "Z I"), "1", "2", "E 22012", "Z I");

    // The check was not prepared either.
    script.sends(
        List.of(INSERT, "B |", "E", "S"),
        all(INSERT, prepare(7, 'f'), check(7, 'f'), "B |", "E", "S"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void refusedCheckBecomesTheDriversErrorAndIsReported(int piece) throws IOException {
    ProtocolScript script = afterFirstWrite(piece);
    script.client(INSERT, "B |", "E", "S").sent();

    script.reads(List.of("1", "2", "E PCF01", "Z I"), "1", "E PCF01", "Z I");
    assertThat(script.refusals).containsExactly("PCF01 under 7");
    assertThat(script.site.refusedEpoch).isEqualTo(7);
    script.sends(List.of(INSERT, "B |", "E", "S"), all(INSERT, check(7, 'f'), "B |", "E", "S"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void possibleWriteIsCheckedAsSuchAndALaterWriteAgain(int piece) throws IOException {
    ProtocolScript script = afterFirstWrite(piece);

    script.sends(
        List.of("P |SELECT f()", "B |", "E", "B |", "E", INSERT, "B |", "E", "S"),
        all(
            "P |SELECT f()",
            prepare(7, 't'),
            check(7, 't'),
            "B |",
            "E",
            "B |",
            "E",
            INSERT,
            check(7, 'f'),
            "B |",
            "E",
            "S"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void lowerEpochOfCallAndTransactionIsChecked(int piece) throws IOException {
    ProtocolScript script = afterFirstWrite(piece);
    script.site.pinned = 5;
    asksAnother(script, 7, 5);
    script.site.pinned = 9;
    asksAnother(script, 5, 7);
    script.site.open = 0;
    asksAnother(script, 7, 9);
    script.site.pinned = 0;
    asksAnother(script, 9, 0);
  }

  private static void asksAnother(ProtocolScript script, long before, long epoch)
      throws IOException {
    script.sends(
        List.of(INSERT, "B |", "E", "S"),
        all(
            INSERT,
            "C S" + name(before, 'f'),
            prepare(epoch, 'f'),
            check(epoch, 'f'),
            "B |",
            "E",
            "S"));
    script.reads(
        all("1", "3", PREPARED, CHECKED, "2", "C INSERT 0 1", "Z I"),
        "1",
        "2",
        "C INSERT 0 1",
        "Z I");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void namesCountOnlyOnceTheServerHasAcceptedThem(int piece) throws IOException {
    ProtocolScript script = afterFirstWrite(piece);
    // Never prepared.
    script.sends(List.of("B |x", "E", "S"), all(check(7, 'f'), "B |x", "E", "S"));
    script.server("2", "D", "C SELECT 1", "E 26000", "Z I");
    // Not acknowledged, and then refused.
    script.client("P x|SELECT 1", "S").sent();
    script.sends(List.of("B |x", "E", "S"), all(check(7, 'f'), "B |x", "E", "S"));
    script.server("E 42P05", "Z I", "2", "D", "C SELECT 1", "E 26000", "Z I");
    script.sends(List.of("B |x", "E", "S"), all(check(7, 'f'), "B |x", "E", "S"));
    script.server("2", "D", "C SELECT 1", "E 26000", "Z I");
    // Acknowledged.
    script.client("P x|SELECT 1", "S").sent();
    script.server("1", "Z I");
    script.sends(List.of("B |x", "E", "S"), List.of("B |x", "E", "S"));
    script.server("2", "C SELECT 1", "Z I");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void unknownStatementCausesANewCheck(int piece) throws IOException {
    ProtocolScript script = afterFirstWrite(piece);
    List<String> unknown = List.of("B |x", "E", "S");
    script.client("Q BEGIN").sent();
    script.server("C BEGIN", "Z T");
    script.sends(unknown, all(check(7, 'f'), unknown));
    script.server("2", "D", "C SELECT 1", "2", "C COMMIT", "Z T");
    script.sends(unknown, all(check(7, 'f'), unknown));
    script.server("2", "D", "C SELECT 1", "2", "C ROLLBACK", "Z T");
    script.sends(
        List.of("B |x", "E", "B |x", "E", "S"),
        // It may have deallocated the prepared check, too.
        all(check(7, 'f'), "B |x", "E", prepare(7, 'f'), check(7, 'f'), "B |x", "E", "S"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void unknownStatementMayEndAFailedTransaction(int piece) throws IOException {
    ProtocolScript script = afterFirstWrite(piece);
    script.client("Q BEGIN").sent();
    script.server("C BEGIN", "Z T");
    script.client("Q broken").sent();
    script.server("E 42601", "Z E");
    script.sends(
        List.of("B |x", "E", "B |x", "E", "S"),
        all("B |x", "E", prepare(7, 'f'), check(7, 'f'), "B |x", "E", "S"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void checkIsPreparedEachTimeBehindAPooler(int piece) throws IOException {
    ProtocolScript script = afterFirstWrite(piece);
    script.client(INSERT, "B |", "E", "S").sent();
    script.reads(List.of("1", "E 26000", "Z I"), "1", "E 26000", "Z I");

    for (int i = 0; i < 2; i++) {
      script.sends(
          List.of("Q BEGIN", INSERT, "B |", "E", "S"),
          all(
              "Q BEGIN",
              INSERT,
              "C S" + name(7, 'f'),
              parse(7, 'f'),
              check(7, 'f'),
              "B |",
              "E",
              "S"));
      script.server("C BEGIN", "Z T");
      script.server("1", "3", "1", "2", "D", "C SELECT 1", "2", "C INSERT 0 1", "Z T");
      script.client("Q COMMIT").sent();
      script.server("C COMMIT", "Z I");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void invalidMessageClosesTheConnection(int piece) throws IOException {
    for (String odd : List.of("D x", "C SELECT 1", "1", "Z I", "T x", "V", "y")) {
      ProtocolScript script = new ProtocolScript(piece);
      assertThatThrownBy(() -> script.server(odd)).isInstanceOf(ProtocolViolationException.class);
    }
    ProtocolScript waiting = afterFirstWrite(piece);
    waiting.client(INSERT, "B |", "E", "S");
    assertThatThrownBy(() -> waiting.server("2")).isInstanceOf(ProtocolViolationException.class);
    assertThatThrownBy(() -> new ProtocolScript(piece).client("y"))
        .isInstanceOf(ProtocolViolationException.class);
    assertThatThrownBy(() -> new ProtocolScript(piece).client("p x"))
        .isInstanceOf(ProtocolViolationException.class);
    assertThatThrownBy(() -> new ProtocolScript(piece).server("S client_encoding|SJIS"))
        .isInstanceOf(ProtocolViolationException.class);
    // The server ends the session.
    new ProtocolScript(piece).reads(List.of("E 57P01"), "E 57P01");
  }
}
