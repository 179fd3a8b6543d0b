package io.portcullis.fencing.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * Executes SQL on a real server, and detects through a second connection whether it changed
 * anything.
 */
final class ChangeDetector implements AutoCloseable {
  /** Opens a connection to the server, a new one each time. */
  interface ConnectionSource {
    Connection connect() throws SQLException;
  }

  /** Removes what statements can't restore, because they fail if there is nothing to remove. */
  interface Cleanup {
    void run(Connection connection) throws SQLException;
  }

  private final ConnectionSource source;
  private final Cleanup cleanup;
  private final List<String> tables;
  private final String fingerprint;
  private final Connection observer;
  private Connection session;

  /**
   * A detector for a database that it may change at will.
   *
   * @param cleanup is run before the statements
   * @param tables statements that restore its initial state from any state
   * @param fingerprint a query for one value that depends on all that may change
   */
  ChangeDetector(ConnectionSource source, Cleanup cleanup, List<String> tables, String fingerprint)
      throws SQLException {
    this.source = source;
    this.cleanup = cleanup;
    this.tables = tables;
    this.fingerprint = fingerprint;
    this.observer = source.connect();
    this.session = source.connect();
    reset();
  }

  private void reset() throws SQLException {
    cleanup.run(observer);
    for (String text : tables) {
      execute(observer, text);
    }
  }

  private static void execute(Connection connection, String text) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setEscapeProcessing(false);
      statement.execute(text);
      while (statement.getMoreResults() || statement.getUpdateCount() != -1) {
        // Servers that execute one statement at a time continue on the next call.
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

  /** Whether the server changed anything; if it did, the initial state is restored afterwards. */
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
