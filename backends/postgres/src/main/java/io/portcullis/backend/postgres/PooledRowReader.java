package io.portcullis.backend.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.portcullis.backend.postgres.jdbc.UnusableServerException;
import io.portcullis.election.store.Claim;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.HeldByOther;
import io.portcullis.election.store.LeaseResponse.Unknown;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Reads the row through a small connection pool, so that reads of a follower neither need the
 * dedicated session nor wait for a stuck statement on it. Used on one thread.
 */
final class PooledRowReader {
  private static final int MAX_CONNECTIONS = 2;
  private static final Duration MIN_CONNECTION_TIMEOUT = Duration.ofMillis(250);
  private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(30);

  private final PostgresStorePlan plan;
  private final ConnectionFactory connections;
  private final LeaseRowReader rows;
  private final PostgresErrorMessages errors;
  private final HikariDataSource pool;

  PooledRowReader(
      PostgresStorePlan plan,
      ConnectionFactory connections,
      LeaseSql sql,
      PostgresErrorMessages errors,
      ThreadFactory threads) {
    this.plan = plan;
    this.connections = connections;
    this.rows = new LeaseRowReader(plan, sql);
    this.errors = errors;
    this.pool = new HikariDataSource(config(threads));
  }

  private HikariConfig config(ThreadFactory threads) {
    Duration ask = plan.timing().askTimeout();
    long wait =
        (ask.compareTo(MIN_CONNECTION_TIMEOUT) > 0 ? ask : MIN_CONNECTION_TIMEOUT).toMillis();
    HikariConfig config = new HikariConfig();
    config.setPoolName("portcullis-" + plan.scope());
    config.setDataSource(new ConnectionFactoryDataSource(connections::openForReading));
    config.setThreadFactory(threads);
    config.setMaximumPoolSize(MAX_CONNECTIONS);
    config.setMinimumIdle(0);
    config.setIdleTimeout(IDLE_TIMEOUT.toMillis());
    config.setConnectionTimeout(wait);
    config.setValidationTimeout(wait);
    config.setInitializationFailTimeout(-1);
    return config;
  }

  /**
   * Responds to requests that need only the row: reads, and claims that it refuses. Returns null if
   * the dedicated session is needed.
   */
  @Nullable LeaseResponse answer(LeaseRequest request) {
    Claim claim = request instanceof LeaseRequest.Acquire acquire ? acquire.claim() : null;
    try (Connection connection = pool.getConnection()) {
      LeaseRow row = read(connection);
      LeaseRecord shown =
          row.toRecord(claim == null ? plan.timing().longestLease() : claim.longestLease());
      return claim == null || !(row.isNone() || claim.mayTake(shown))
          ? new HeldByOther(shown)
          : null;
    } catch (SQLException e) {
      return new Unknown(errors.message(cause(e)));
    } catch (UnusableServerException e) {
      return new Unknown(errors.at(String.valueOf(e.getMessage())));
    } catch (IllegalArgumentException e) {
      return new Unknown(errors.message(e));
    }
  }

  private LeaseRow read(Connection connection) throws SQLException, UnusableServerException {
    try {
      return rows.read(connection);
    } catch (SQLException e) {
      if (PrivilegeCheck.isPermissionDenied(e)) {
        PrivilegeCheck.check(connection, plan); // Throws with the missing privileges.
      }
      if (!LeaseRowReader.isMissingTable(e)) {
        throw e;
      }
      return LeaseRow.none(LeaseRowReader.incarnation(connection, connections.incarnation()));
    }
  }

  /** Unwraps the cause of a failed connection; the pool's own messages differ each time. */
  private SQLException cause(SQLException failure) {
    for (Throwable inner = failure.getCause(); inner != null; inner = inner.getCause()) {
      if (inner instanceof SQLException cause) {
        return cause;
      }
    }
    if (failure.getCause() != null) {
      return new SQLException(failure.getCause().toString(), "08001", failure);
    }
    return failure instanceof SQLTransientConnectionException
        ? new SQLException("no connection within " + pool.getConnectionTimeout() + " ms", "08001")
        : failure;
  }

  void close() {
    pool.close();
  }

  /** Data source that provides the pool with connections of a {@link ConnectionOpener}. */
  static final class ConnectionFactoryDataSource implements DataSource {

    interface ConnectionOpener {
      Connection open() throws SQLException;
    }

    private final ConnectionOpener opener;

    ConnectionFactoryDataSource(ConnectionOpener opener) {
      this.opener = opener;
    }

    @Override
    public Connection getConnection() throws SQLException {
      return opener.open();
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
      throw new SQLFeatureNotSupportedException("user and password come from the configuration");
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
      return null;
    }

    @Override
    public void setLogWriter(PrintWriter out) {}

    @Override
    public int getLoginTimeout() {
      return 0;
    }

    /** Ignored: each connection has its own timeouts. */
    @Override
    public void setLoginTimeout(int seconds) {}

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
      throw new SQLFeatureNotSupportedException();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
      throw new SQLException("wraps nothing");
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
      return false;
    }
  }
}
