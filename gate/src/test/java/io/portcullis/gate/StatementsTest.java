package io.portcullis.gate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StatementsTest {
  private static final Object[] NO_TEXT = {};

  @Test
  void aPreparedStatementIsJudgedByTheTextItWasPreparedWith() {
    Object reading = new Object();
    Object writing = new Object();

    Statements.prepared(reading, "SELECT 1");
    Statements.prepared(writing, "DELETE FROM a");

    assertThat(Statements.onlyReads(reading, NO_TEXT)).isTrue();
    assertThat(Statements.onlyReads(writing, NO_TEXT)).isFalse();
  }

  @Test
  void aStatementOfWhichNoTextIsKnownCountsAsOneThatWrites() {
    Object statement = new Object();

    Statements.prepared(statement, null);
    Statements.prepared(null, "SELECT 1");

    assertThat(Statements.onlyReads(statement, NO_TEXT)).isFalse();
    assertThat(Statements.onlyReads(statement, new Object[] {null})).isFalse();
    assertThat(Statements.onlyReads(statement, new Object[] {1})).isFalse();
  }

  @Test
  void aStatementThatIsPreparedAgainIsJudgedByItsLatestText() {
    Object statement = new Object();

    Statements.prepared(statement, "SELECT 1");
    Statements.prepared(statement, "DELETE FROM a");

    assertThat(Statements.onlyReads(statement, NO_TEXT)).isFalse();
  }

  @Test
  void aTextThatIsGivenWithTheCallCountsAndNotAnEarlierOne() {
    Object statement = new Object();
    Statements.prepared(statement, "SELECT 1");

    assertThat(Statements.onlyReads(statement, new Object[] {"DELETE FROM a", 1})).isFalse();
    assertThat(Statements.onlyReads(new Object(), new Object[] {"SELECT 1"})).isTrue();
  }

  @Test
  void statementsAreToldApartEvenIfTheirClassTakesThemForEqual() {
    record Equal() {}
    Object reading = new Equal();

    Statements.prepared(reading, "SELECT 1");

    assertThat(Statements.onlyReads(new Equal(), NO_TEXT)).isFalse();
  }
}
