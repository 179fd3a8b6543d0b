package io.portcullis.fencing.protocol;

import static io.portcullis.fencing.protocol.ProtocolScript.CHECKED;
import static io.portcullis.fencing.protocol.ProtocolScript.INSERT;
import static io.portcullis.fencing.protocol.ProtocolScript.PREPARED;
import static io.portcullis.fencing.protocol.ProtocolScript.afterFirstWrite;
import static io.portcullis.fencing.protocol.ProtocolScript.all;
import static io.portcullis.fencing.protocol.ProtocolScript.check;
import static io.portcullis.fencing.protocol.ProtocolScript.prepare;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages on a connection whose server deallocates prepared statements. */
class DeallocatedStatementsTest {
  private static final List<String> UNKNOWN = List.of("B |x", "E", "S");

  /** A connection on which x is known as a read. */
  private static ProtocolScript knowingARead() throws IOException {
    ProtocolScript script = afterFirstWrite(1000);
    script.client("P x|SELECT 1", "S").sent();
    script.server("1", "Z I");
    script.sends(UNKNOWN, UNKNOWN);
    script.server("2", "C SELECT 1", "Z I");
    return script;
  }

  @ParameterizedTest
  @ValueSource(strings = {"DEALLOCATE ALL", "DISCARD ALL"})
  void discardAllForgetsNamesAndPreparesTheCheckAgain(String text) throws IOException {
    ProtocolScript script = knowingARead();
    script.client("P |" + text, "B |", "E", "S").sent();
    script.server("1", "2", "C " + text, "Z I");
    script.sends(UNKNOWN, all(prepare(7, 'f'), check(7, 'f'), UNKNOWN));
  }

  @ParameterizedTest
  @ValueSource(strings = {"DEALLOCATE ALL", "DISCARD ALL"})
  void deallocatingQueriesForgetNamesToo(String text) throws IOException {
    ProtocolScript script = knowingARead();
    script.client("Q " + text).sent();
    script.server("C " + text, "Z I");
    script.sends(UNKNOWN, all(prepare(7, 'f'), check(7, 'f'), UNKNOWN));
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "other"})
  void afterDeallocatingOneNameAllNamesAreUnknown(String name) throws IOException {
    ProtocolScript script = knowingARead();
    script.client("Q DEALLOCATE " + name).sent();
    script.server("C DEALLOCATE", "Z I");
    script.sends(UNKNOWN, all(check(7, 'f'), UNKNOWN));
  }

  @ParameterizedTest
  @ValueSource(strings = {"DEALLOCATE ALL", "DISCARD ALL"})
  void checkIsPreparedAgainAfterDeallocationInTheSameGroup(String text) throws IOException {
    ProtocolScript script = afterFirstWrite(1000);
    List<String> forgets = List.of("P |" + text, "B |", "E");
    List<String> inserts = List.of("B |", "E", "S");
    script.sends(
        all(forgets, INSERT, inserts),
        all(forgets, INSERT, prepare(7, 'f'), check(7, 'f'), inserts));
    script.reads(
        all("1", "2", "C " + text, "1", PREPARED, CHECKED, "2", "C INSERT 0 1", "Z I"),
        "1",
        "2",
        "C " + text,
        "1",
        "2",
        "C INSERT 0 1",
        "Z I");
  }

  @ParameterizedTest
  @ValueSource(strings = {"DEALLOCATE ALL", "DISCARD ALL"})
  void checkIsPreparedAgainBehindAnUnansweredDiscard(String text) throws IOException {
    ProtocolScript script = afterFirstWrite(1000);
    List<String> inserts = List.of(INSERT, "B |", "E", "S");
    script.client("P |" + text, "B |", "E", "S").sent();
    script.sends(inserts, all(INSERT, prepare(7, 'f'), check(7, 'f'), "B |", "E", "S"));
    script.server("1", "2", "C " + text, "Z I").read();
    script.reads(
        all("1", PREPARED, CHECKED, "2", "C INSERT 0 1", "Z I"), "1", "2", "C INSERT 0 1", "Z I");
  }

  /** Servers before 15 end the group's transaction there, and with it the check's lock. */
  @Test
  void statementAfterDiscardInTheSameGroupIsCheckedAgain() throws IOException {
    ProtocolScript script = afterFirstWrite(1000);
    List<String> discards = List.of("P |DISCARD ALL", "B |", "E");
    script.sends(
        all(INSERT, "B |", "E", discards, INSERT, "B |", "E", "S"),
        all(
            INSERT,
            check(7, 'f'),
            "B |",
            "E",
            discards,
            INSERT,
            prepare(7, 'f'),
            check(7, 'f'),
            "B |",
            "E",
            "S"));
  }
}
