package io.portcullis.backend.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.portcullis.backend.postgres.line.Refused;
import io.portcullis.election.store.Answer;
import io.portcullis.election.store.Answer.HeldByOther;
import io.portcullis.election.store.Answer.Unknown;
import io.portcullis.election.store.Claim;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.Request;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Reads the row by a small pool, so that a follower's looking neither needs the dedicated session
 * nor waits for a statement that is stuck there. Belongs to one thread.
 */
final class SideReader {
  private static final int MOST_CONNECTIONS = 2;
  private static final Duration SHORTEST_WAIT = Duration.ofMillis(250);
  private static final Duration IDLE = Duration.ofSeconds(30);

  private final PostgresPlan plan;
  private final Dialer dialer;
  private final RowReader rows;
  private final Trouble trouble;
  private final HikariDataSource pool;

  SideReader(
      PostgresPlan plan, Dialer dialer, LeaseSql sql, Trouble trouble, ThreadFactory threads) {
    this.plan = plan;
    this.dialer = dialer;
    this.rows = new RowReader(plan, sql);
    this.trouble = trouble;
    this.pool = new HikariDataSource(config(threads));
  }

  private HikariConfig config(ThreadFactory threads) {
    Duration ask = plan.timing().askTimeout();
    long wait = (ask.compareTo(SHORTEST_WAIT) > 0 ? ask : SHORTEST_WAIT).toMillis();
    HikariConfig config = new HikariConfig();
    config.setPoolName("portcullis-" + plan.scope());
    config.setDataSource(new DialledSource(dialer::dialForReading));
    config.setThreadFactory(threads);
    config.setMaximumPoolSize(MOST_CONNECTIONS);
    config.setMinimumIdle(0);
    config.setIdleTimeout(IDLE.toMillis());
    config.setConnectionTimeout(wait);
    config.setValidationTimeout(wait);
    config.setInitializationFailTimeout(-1);
    return config;
  }

  /**
   * What the row alone can answer: a look, and a claim that it refuses; null if the session must be
   * asked.
   */
  @Nullable Answer answer(Request request) {
    Claim claim = request instanceof Request.Acquire acquire ? acquire.claim() : null;
    try (Connection connection = pool.getConnection()) {
      Row row = read(connection);
      LeaseRecord shown =
          row.toRecord(claim == null ? plan.timing().longestLease() : claim.longestLease());
      return claim == null || !(row.isNone() || claim.mayTake(shown))
          ? new HeldByOther(shown)
          : null;
    } catch (SQLException e) {
      return new Unknown(trouble.sentence(cause(e)));
    } catch (Refused e) {
      return new Unknown(trouble.at(String.valueOf(e.getMessage())));
    } catch (IllegalArgumentException e) {
      return new Unknown(trouble.sentence(e));
    }
  }

  private Row read(Connection connection) throws SQLException, Refused {
    try {
      return rows.read(connection);
    } catch (SQLException e) {
      if (Grants.areMissing(e)) {
        Grants.check(connection, plan); // Says which, and how to grant it.
      }
      if (!RowReader.isMissingTable(e)) {
        throw e;
      }
      return Row.none(RowReader.life(connection, dialer.life()));
    }
  }

  /** The pool wraps why there is no connection, perhaps twice; its own words differ each time. */
  private SQLException cause(SQLException failure) {
    for (Throwable inner = failure.getCause(); inner != null; inner = inner.getCause()) {
      if (inner instanceof SQLException told) {
        return told;
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
}
