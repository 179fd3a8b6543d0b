package io.portcullis.gate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReadOnlyStatementsTest {
  private static final Object[] NO_TEXT = {};

  @Test
  void preparedStatementIsClassifiedByItsSql() {
    Object reading = new Object();
    Object writing = new Object();

    ReadOnlyStatements.prepared(reading, "SELECT 1");
    ReadOnlyStatements.prepared(writing, "DELETE FROM a");

    assertThat(ReadOnlyStatements.onlyReads(reading, NO_TEXT)).isTrue();
    assertThat(ReadOnlyStatements.onlyReads(writing, NO_TEXT)).isFalse();
  }

  @Test
  void statementWithUnknownSqlCountsAsAWrite() {
    Object statement = new Object();

    ReadOnlyStatements.prepared(statement, null);
    ReadOnlyStatements.prepared(null, "SELECT 1");

    assertThat(ReadOnlyStatements.onlyReads(statement, NO_TEXT)).isFalse();
    assertThat(ReadOnlyStatements.onlyReads(statement, new Object[] {null})).isFalse();
    assertThat(ReadOnlyStatements.onlyReads(statement, new Object[] {1})).isFalse();
  }

  @Test
  void repreparedStatementIsClassifiedByItsLatestSql() {
    Object statement = new Object();

    ReadOnlyStatements.prepared(statement, "SELECT 1");
    ReadOnlyStatements.prepared(statement, "DELETE FROM a");

    assertThat(ReadOnlyStatements.onlyReads(statement, NO_TEXT)).isFalse();
  }

  @Test
  void sqlOfTheCallCountsInsteadOfAnEarlierOne() {
    Object statement = new Object();
    ReadOnlyStatements.prepared(statement, "SELECT 1");

    assertThat(ReadOnlyStatements.onlyReads(statement, new Object[] {"DELETE FROM a", 1}))
        .isFalse();
    assertThat(ReadOnlyStatements.onlyReads(new Object(), new Object[] {"SELECT 1"})).isTrue();
  }

  @Test
  void statementsAreComparedByIdentity() {
    record Equal() {}
    Object reading = new Equal();

    ReadOnlyStatements.prepared(reading, "SELECT 1");

    assertThat(ReadOnlyStatements.onlyReads(new Equal(), NO_TEXT)).isFalse();
  }
}
