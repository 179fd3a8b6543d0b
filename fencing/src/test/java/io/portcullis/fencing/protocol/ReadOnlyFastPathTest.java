package io.portcullis.fencing.protocol;

import static io.portcullis.fencing.protocol.ProtocolScript.all;
import static io.portcullis.fencing.protocol.ProtocolScript.check;
import static io.portcullis.fencing.protocol.ProtocolScript.prepare;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.fencing.protocol.PendingReplies.MessageKind;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads that take the fast path, and messages that must not. */
class ReadOnlyFastPathTest {
  private static final int ALL = 1000;
  private static final String[] READ = {"B |reads", "E", "S"};
  private static final String[] DESCRIBED = {"B |reads", "D P", "E", "S"};
  private static final List<String> TOLD = List.of("2", "T x", "D x", "C SELECT 1", "Z I");
  private static final List<String> ANSWER = List.of("2", "D x", "D y", "C SELECT 2", "Z I");

  private ProtocolScript script;

  @BeforeEach
  void prepareStatements() throws IOException {
    script = new ProtocolScript(ALL);
    script.clientAtOnce(
        "P reads|SELECT 1", "P writes|DELETE FROM t", "P perhaps|SELECT f()", "P ends|COMMIT", "S");
    script.readsAtOnce(ALL, List.of("1", "1", "1", "1", "Z I"), "1", "1", "1", "1", "Z I");
    script.sent();
  }

  private boolean isShort(String... group) throws IOException {
    script.clientAtOnce(group);
    boolean isShort = script.connection.fastPath.isUnderWay();
    assertThat(script.connection.pending.isEmpty()).isEqualTo(isShort);
    return isShort;
  }

  private void readsOn() throws IOException {
    script.sent();
    long group = script.connection.transaction.group();
    assertThat(isShort(READ)).isTrue();
    assertThat(script.sent()).containsExactly(READ);
    script.readsAtOnce(ALL, ANSWER, ANSWER.toArray(String[]::new));
    assertThat(script.connection.fastPath.isUnderWay()).isFalse();
    assertThat(script.connection.transaction.group()).isEqualTo(group);
  }

  /** A write is checked, and the driver sees nothing of the check. */
  private void comparesAWrite() throws IOException {
    script.sent();
    script.clientAtOnce("B |writes", "E", "S");
    assertThat(script.sent()).isEqualTo(all(prepare(7, 'f'), check(7, 'f'), "B |writes", "E", "S"));
    script.readsAtOnce(
        ALL,
        all(ProtocolScript.PREPARED, ProtocolScript.CHECKED, "2", "C DELETE 1", "Z I"),
        "2",
        "C DELETE 1",
        "Z I");
  }

  @Test
  void onlyPreparedReadsTakeTheFastPath() throws IOException {
    readsOn();
    readsOn();
    comparesAWrite();
    readsOn();
  }

  @Test
  void describedReadsTakeTheFastPath() throws IOException {
    long group = script.connection.transaction.group();
    assertThat(isShort(DESCRIBED)).isTrue();
    assertThat(script.sent()).containsExactly(DESCRIBED);
    script.readsAtOnce(ALL, TOLD, TOLD.toArray(String[]::new));

    assertThat(script.connection.fastPath.isUnderWay()).isFalse();
    assertThat(script.connection.transaction.group()).isEqualTo(group);
    readsOn();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "B |writes, E, S",
        "B |perhaps, E, S",
        "B |ends, E, S",
        "B |unknown, E, S",
        "B |, E, S",
        "B portal|reads, E, S",
        "B |reads, E portal, S",
        "B portal|reads, E portal, S",
        "B |reads, D S, E, S",
        "B |reads, D Pp, E, S",
        "B |reads, D P, D P, E, S",
        "B |reads, E, E, S",
        "B |reads, E, S, S",
        "B |reads, E, H",
        "B |reads, C Sabc, S",
        "B |reads, C P, E, S",
        "B |reads, S",
        "P |SELECT 1, B |, E, S",
        "C Sreads, B |reads, E, S",
        "B |reads, E, S, B |reads, E, S",
        "E, S",
        "S",
        "Q SELECT 1",
      })
  void anythingElseTakesTheSlowPath(String group) throws IOException {
    assertThat(isShort(group.split(", "))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "B |reads, E, S",
        "B |reads, E",
        "P |SELECT 1, H",
        "Q SELECT 1",
        "Q BEGIN",
        "C Sother",
      })
  void readsAfterUnansweredMessagesTakeTheSlowPath(String before) throws IOException {
    readsOn();
    script.clientAtOnce(before.split(", "));
    script.clientAtOnce(READ);

    assertThat(script.connection.fastPath.isUnderWay()).isFalse();
  }

  @Test
  void readsAfterAnUnansweredCloseTakeTheSlowPath() throws IOException {
    script.client("Q SELECT 1").client("C Sother");
    script.readsAtOnce(ALL, List.of("T", "C SELECT 1", "Z I"), "T", "C SELECT 1", "Z I");
    script.clientAtOnce(READ);

    assertThat(script.connection.fastPath.isUnderWay()).isFalse();
  }

  @Test
  void namedPortalIsNotTakenForTheUnnamedPortal() throws IOException {
    script.clientAtOnce("P |SELECT 1", "S");
    script.readsAtOnce(ALL, List.of("1", "Z I"), "1", "Z I");

    assertThat(isShort("B x|writes", "E", "S")).isFalse();
  }

  @Test
  void readsInATransactionTakeTheSlowPath() throws IOException {
    script.client("Q BEGIN");
    script.readsAtOnce(ALL, List.of("C BEGIN", "Z T"), "C BEGIN", "Z T");

    assertThat(isShort(READ)).isFalse();
  }

  @Test
  void readsAfterHalfAMessageAreItsOtherHalf() throws IOException {
    byte[] message = ProtocolMessages.client("P |SELECT 1 " + "x".repeat(100));
    readsOn();
    script.client("Q SELECT 1");
    script.take(message, 0, message.length - 100);
    script.readsAtOnce(ALL, List.of("T", "C SELECT 1", "Z I"), "T", "C SELECT 1", "Z I");
    script.clientAtOnce(READ);

    assertThat(script.connection.fastPath.isUnderWay()).isFalse();
  }

  @Test
  void readsAfterARefusedStandaloneGroupAreDroppedToo() throws IOException {
    readsOn();
    script.willAnswer("E PCF01", "Z I");
    script.client("P |CALL p()");
    assertThat(script.read()).containsExactly("E PCF01", "Z I");
    script.sent();
    script.clientAtOnce(READ);

    assertThat(script.sent()).isEmpty();
    assertThat(isShort(READ)).isFalse();
    script.readsAtOnce(ALL, ANSWER, ANSWER.toArray(String[]::new));
    readsOn();
  }

  @Test
  void readsAfterAnUnsentGroupAreDroppedToo() throws IOException {
    readsOn();
    script.willAnswer("T x", "C SELECT 0", "Z I");
    script.client("P |CALL p()").sent();
    script.readsAtOnce(ALL, List.of("E 42601", "Z I"), "E PCF03", "Z I");
    script.clientAtOnce(READ);

    assertThat(script.sent()).isEmpty();
  }

  @Test
  void writeBehindAPipelinedReadIsChecked() throws IOException {
    script.clientAtOnce(READ).sent();
    script.clientAtOnce("B |writes", "E", "S");

    assertThat(script.sent()).isEqualTo(all(prepare(7, 'f'), check(7, 'f'), "B |writes", "E", "S"));
    script.readsAtOnce(
        ALL,
        all(ANSWER, ProtocolScript.PREPARED, ProtocolScript.CHECKED, "2", "C DELETE 1", "Z I"),
        all(ANSWER, "2", "C DELETE 1", "Z I").toArray(String[]::new));
    readsOn();
  }

  @Test
  void writeAfterAReadHasTheEpochInWhichItBegan() throws IOException {
    script.clientAtOnce(READ).sent();
    script.site.open = 8;
    script.clientAtOnce("B |writes", "E", "S");

    assertThat(script.sent()).isEqualTo(all(prepare(8, 'f'), check(8, 'f'), "B |writes", "E", "S"));
  }

  @Test
  void responseMayArriveInTwoPieces() throws IOException {
    for (int first = 1; first < 60; first++) {
      script.clientAtOnce(READ);
      script.readsAtOnce(first, ANSWER, ANSWER.toArray(String[]::new));
      readsOn();
      script.clientAtOnce(DESCRIBED);
      script.readsAtOnce(first, TOLD, TOLD.toArray(String[]::new));
    }
    comparesAWrite();
  }

  @Test
  void responseMayBeReadByteByByte() throws IOException {
    script.clientAtOnce(READ);
    script.reads(ANSWER, ANSWER.toArray(String[]::new));

    readsOn();
  }

  @Test
  void restOfANoticeIsNoResponse() throws IOException {
    byte[] tail = ProtocolScript.together(ProtocolMessages::server, "2", "C SELECT 0", "Z I");
    byte[] notice = ProtocolMessages.server("N 01000|" + "x".repeat(300));
    System.arraycopy(tail, 0, notice, notice.length - tail.length, tail.length);
    script.receiveThere(notice, 0, notice.length - tail.length);
    script.clientAtOnce(READ);
    script.receiveThere(notice, notice.length - tail.length, notice.length);

    assertThat(script.connection.pending.first()).isEqualTo(MessageKind.BIND);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2, C SELECT 0, Z I",
        "2, E 57014, Z I",
        "E 26000, Z I",
        "2, D x, E 57014, Z I",
        "2, D x, N 01000, C SELECT 1, Z I",
        "S TimeZone|UTC, 2, C SELECT 0, Z I",
        "2, I, Z I",
        "2, s, Z I",
        "2, H, d x, c, C COPY 1, Z I",
        "2, C SELECT 0, Z I, A x",
      })
  void otherResponsesPassAndLaterWritesAreFenced(String answer) throws IOException {
    String[] lines = answer.split(", ");
    script.clientAtOnce(READ);
    script.readsAtOnce(ALL, List.of(lines), lines);

    assertThat(script.connection.fastPath.isUnderWay()).isFalse();
    assertThat(script.connection.pending.isEmpty()).isTrue();
    readsOn();
    comparesAWrite();
  }

  @Test
  void serverIsReadyOnlyOnceItReportsIt() throws IOException {
    script.clientAtOnce(READ);
    script.readsAtOnce(ALL, List.of("2", "C SELECT 0", "A I"), "2", "C SELECT 0", "A I");
    assertThat(script.connection.pending.first()).isEqualTo(MessageKind.SYNC);
    script.readsAtOnce(ALL, List.of("Z I"), "Z I");

    readsOn();
  }

  @Test
  void responseToAnotherRequestIsAProtocolViolation() throws IOException {
    script.clientAtOnce(READ);

    assertThatThrownBy(() -> script.readsAtOnce(ALL, List.of("1", "C SELECT 0", "Z I")))
        .isInstanceOf(ProtocolViolationException.class);
  }

  @Test
  void refusalByTheServerIsReported() throws IOException {
    script.clientAtOnce(READ);
    script.readsAtOnce(ALL, List.of("2", "E PCF01", "Z I"), "2", "E PCF01", "Z I");

    assertThat(script.refusals).containsExactly("PCF01 under 0");
  }

  @ParameterizedTest
  @CsvSource({"T, false", "E, false", "I, true"})
  void transactionStateOfTheServerIsFollowed(String state, boolean isShort) throws IOException {
    script.clientAtOnce(READ);
    script.readsAtOnce(ALL, List.of("2", "C SET", "Z " + state), "2", "C SET", "Z " + state);

    assertThat(isShort(READ)).isEqualTo(isShort);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2, C SET, S client_encoding|SJIS, Z I",
        "2, S client_encoding|SJIS, C SET, Z I",
        "S client_encoding|SJIS, 2, C SET, Z I",
      })
  void unsupportedClientEncodingIsDetected(String answer) throws IOException {
    script.clientAtOnce(READ);
    assertThatThrownBy(() -> script.readsAtOnce(ALL, List.of(answer.split(", "))))
        .isInstanceOf(ProtocolViolationException.class);

    prepareStatements();
    script.clientAtOnce(DESCRIBED);
    assertThatThrownBy(() -> script.readsAtOnce(ALL, List.of(answer.split(", "))))
        .isInstanceOf(ProtocolViolationException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"C Sreads", "Q DEALLOCATE reads", "Q DISCARD ALL"})
  void deallocatedNameIsNoReadAnyMore(String going) throws IOException {
    readsOn();
    script.clientAtOnce(going);
    if (going.startsWith("C")) {
      script.clientAtOnce("S");
      script.readsAtOnce(ALL, List.of("3", "Z I"), "3", "Z I");
    } else {
      String tag = "C " + going.substring(2).replace(" reads", "");
      script.readsAtOnce(ALL, List.of(tag, "Z I"), tag, "Z I");
    }

    assertThat(isShort(READ)).isFalse();
  }

  @Test
  void nameReusedForAWriteIsNoReadAnyMore() throws IOException {
    readsOn();
    script.clientAtOnce("C Sreads", "P reads|DELETE FROM t", "S");
    script.readsAtOnce(ALL, List.of("3", "1", "Z I"), "3", "1", "Z I");
    assertThat(isShort(READ)).isFalse();

    prepareStatements();
    readsOn();
    script.clientAtOnce("P reads|DELETE FROM t", "S");
    script.readsAtOnce(ALL, List.of("1", "Z I"), "1", "Z I");
    assertThat(isShort(READ)).isFalse();
  }
}
