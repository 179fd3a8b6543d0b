package io.portcullis.backend.postgres.fence;

import io.portcullis.backend.postgres.jdbc.JdbcConnector.SettingsStatement;
import io.portcullis.backend.postgres.jdbc.SqlErrorMessages.EpochRepair;
import io.portcullis.backend.postgres.jdbc.UnusableServerException;
import io.portcullis.election.fence.EpochFence.FenceFunctions;
import io.portcullis.election.fence.EpochFence.FenceState;
import io.portcullis.election.store.EpochRange;
import io.portcullis.election.store.EpochRangeException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Validated connection to the fence's database. Settings are made per transaction, so that it also
 * works through a pooler.
 */
final class FenceSession {
  /** Maximum time of a response that does not wait for locks. */
  static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(5);

  /** Maximum time to terminate blocking sessions after their grace period. */
  private static final Duration TERMINATION_TIMEOUT = Duration.ofSeconds(5);

  /** Maximum time that refreshing the row waits for a lock; the next read tries again. */
  private static final Duration MAX_REFRESH_WAIT = Duration.ofMillis(50);

  /** SQL states of a statement timeout and a lock timeout. */
  private static final Set<String> TIMEOUT_STATES = Set.of("57014", "55P03");

  private final PostgresFencePlan plan;
  private final Connection connection;
  private final FenceTable table;
  private final BlockerTermination.Factory terminations;
  private final Duration maxWait;

  FenceSession(
      PostgresFencePlan plan,
      Connection connection,
      FenceTable table,
      BlockerTermination.Factory terminations) {
    this.plan = plan;
    this.connection = connection;
    this.table = table;
    this.terminations = terminations;
    this.maxWait = plan.writerTimeout().plus(TERMINATION_TIMEOUT);
  }

  FenceFunctions functions() {
    return table.functions();
  }

  /**
   * Reads the fence's state. Also rewrites the row if transactions with older snapshots refuse it.
   */
  FenceState read() throws SQLException, UnusableServerException {
    RowState state = readRow();
    if (state.needsRefresh()) {
      refresh();
    }
    return state.state();
  }

  /**
   * Content of the row.
   *
   * @param needsRefresh whether its {@code xmax} is not 0, see {@link FenceTable}
   */
  private record RowState(FenceState state, boolean needsRefresh) {}

  private RowState readRow() throws SQLException, UnusableServerException {
    try (PreparedStatement statement = connection.prepareStatement(table.readStatement())) {
      statement.setString(1, plan.scope());
      try (ResultSet found = statement.executeQuery()) {
        found.next();
        if (found.getBoolean(1)) {
          throw new UnusableServerException.InRecoveryException();
        }
        String epoch = found.getString(2);
        FenceState state =
            epoch == null ? FenceState.NONE : new FenceState(checked(epoch), found.getString(3));
        return new RowState(state, found.getBoolean(4));
      }
    }
  }

  /**
   * Rewrites the row after an installation that was rolled back or a row lock of another program.
   * Until then the functions refuse it under REPEATABLE READ and SERIALIZABLE. Attempted at every
   * read, so it does not wait.
   */
  private void refresh() throws SQLException {
    connection.setAutoCommit(false);
    try {
      execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED READ WRITE");
      Map<String, String> settings = settings();
      settings.put("lock_timeout", Long.toString(MAX_REFRESH_WAIT.toMillis()));
      execute(SettingsStatement.of(settings, true));
      if (isRefreshPermitted()) {
        try (PreparedStatement statement = connection.prepareStatement(table.refreshStatement())) {
          statement.setString(1, plan.scope());
          statement.executeUpdate();
        }
      }
      connection.commit();
    } catch (SQLException e) {
      if (!TIMEOUT_STATES.contains(String.valueOf(e.getSQLState()))) {
        throw e;
      }
      connection.rollback(); // Another session holds the row; the next read tries again.
    }
    connection.setAutoCommit(true);
  }

  private boolean isRefreshPermitted() throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(table.refreshLockStatement())) {
      statement.setString(1, plan.scope());
      statement.setString(2, plan.scope());
      try (ResultSet found = statement.executeQuery()) {
        return found.next() && found.getBoolean(1);
      }
    }
  }

  /** Parses the epoch. An invalid epoch is not cached, so reads work once the row is repaired. */
  private long checked(String epoch) throws UnusableServerException {
    try {
      return EpochRange.parse(epoch);
    } catch (EpochRangeException e) {
      throw new UnusableServerException(
          e.sentence(
              "the row of scope " + plan.scope() + " in " + table,
              EpochRepair.statement(table.quoted(), plan.scope())));
    }
  }

  /** Raises the row unless its epoch is as high already; returns the resulting state. */
  FenceState install(long epoch, String holder) throws SQLException, UnusableServerException {
    connection.setAutoCommit(false);
    connection.setNetworkTimeout(Runnable::run, (int) maxWait.plus(RESPONSE_TIMEOUT).toMillis());
    execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED READ WRITE");
    execute(SettingsStatement.of(settings(), true));
    FenceState state = readRow().state();
    // The current epoch was installed under the exclusive lock, so there is nothing to wait for.
    if (state.epoch() < epoch) {
      state = raise(epoch, holder);
    } else {
      connection.rollback();
    }
    connection.setAutoCommit(true);
    connection.setNetworkTimeout(Runnable::run, (int) RESPONSE_TIMEOUT.toMillis());
    return state;
  }

  private Map<String, String> settings() {
    String millis = Long.toString(maxWait.toMillis());
    Map<String, String> values = new LinkedHashMap<>();
    values.put("synchronous_commit", "on"); // With off, a crash could lower the epoch.
    values.put("statement_timeout", millis);
    values.put("lock_timeout", millis);
    values.put("transaction_timeout", "0");
    values.put("idle_in_transaction_session_timeout", millis);
    values.put("client_min_messages", "warning");
    values.put("tcp_keepalives_idle", "1");
    values.put("tcp_keepalives_interval", "1");
    values.put("tcp_keepalives_count", "3");
    values.put("search_path", "pg_catalog"); // SQL names the table with its schema.
    return values;
  }

  private FenceState raise(long epoch, String holder) throws SQLException, UnusableServerException {
    FenceState state;
    try (BlockerTermination termination = terminations.open(installer())) {
      try {
        lock();
        write(epoch, holder);
      } catch (SQLException e) {
        if (TIMEOUT_STATES.contains(String.valueOf(e.getSQLState()))) {
          throw termination.timeoutException(e);
        }
        throw e;
      }
      // A cancelled wait for a synchronous replica reports success.
      execute("SELECT pg_catalog.set_config('statement_timeout', '0', true)");
      state = readRow().state();
      connection.clearWarnings();
      connection.commit();
    }
    SQLWarning warning = connection.getWarnings();
    if (warning != null) {
      throw warning;
    }
    return state;
  }

  private BlockerTermination.Installer installer() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery(BlockerTermination.Installer.SELF_QUERY)) {
      found.next();
      return new BlockerTermination.Installer(found.getInt(1), found.getString(2));
    }
  }

  private void lock() throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(table.lockStatement())) {
      statement.setString(1, plan.scope());
      statement.execute();
    }
  }

  private void write(long epoch, String holder) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(table.raiseStatement())) {
      statement.setLong(1, epoch);
      statement.setString(2, holder);
      statement.setString(3, plan.scope());
      statement.setLong(4, epoch);
      if (statement.executeUpdate() > 0) {
        return;
      }
    }
    try (PreparedStatement statement = connection.prepareStatement(table.firstStatement())) {
      statement.setString(1, plan.scope());
      statement.setLong(2, epoch);
      statement.setString(3, holder);
      statement.executeUpdate();
    }
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Aborts the connection, even during a statement. Thread-safe. */
  void close() {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException e) {
      return; // The connection is unusable either way.
    }
  }
}
