package io.portcullis.fencing.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * Executes texts on a real server, and sees by a second connection whether they changed anything.
 */
final class ChangeDetector implements AutoCloseable {
  /** A connection to the server, and never the same one twice. */
  interface ConnectionSource {
    Connection connect() throws SQLException;
  }

  private final ConnectionSource source;
  private final List<String> tables;
  private final String fingerprint;
  private final Connection observer;
  private Connection session;

  /**
   * A witness of a database that it may do anything with.
   *
   * @param tables the texts that put it into its first state, from whatever state
   * @param fingerprint a query for one value that depends on all that may change
   */
  ChangeDetector(ConnectionSource source, List<String> tables, String fingerprint)
      throws SQLException {
    this.source = source;
    this.tables = tables;
    this.fingerprint = fingerprint;
    this.observer = source.connect();
    this.session = source.connect();
    reset();
  }

  private void reset() throws SQLException {
    for (String text : tables) {
      execute(observer, text);
    }
  }

  private static void execute(Connection connection, String text) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setEscapeProcessing(false);
      statement.execute(text);
      while (statement.getMoreResults() || statement.getUpdateCount() != -1) {
        // Servers that execute one statement at a time go on when they are asked.
      }
    }
  }

  private String state() throws SQLException {
    try (Statement statement = observer.createStatement();
        ResultSet rows = statement.executeQuery(fingerprint)) {
      rows.next();
      return rows.getString(1);
    }
  }

  /** Whether the server changed anything; if it did, all is as before afterwards. */
  boolean isChangedBy(String text) throws SQLException {
    String before = state();
    try {
      execute(session, text);
    } catch (SQLException refused) {
      if (session.isClosed()) {
        session = source.connect();
      }
    }
    boolean changed = !before.equals(state());
    if (changed) {
      reset();
    }
    return changed;
  }

  @Override
  public void close() throws SQLException {
    session.close();
    observer.close();
  }
}
