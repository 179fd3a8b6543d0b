package io.portcullis.backend.postgres;

import io.portcullis.backend.postgres.NotificationListener.NotifyPayload;
import io.portcullis.backend.postgres.PostgresStorePlan.AdvisoryLockKey;
import io.portcullis.backend.postgres.jdbc.UnusableServerException;
import io.portcullis.election.store.Claim;
import io.portcullis.election.store.LeaseRequest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The dedicated session that holds the lock and sends heartbeats: never pooled, owned by one
 * thread. No statement on it is ever cancelled, since a cancelled wait for a synchronous replica
 * reports success; for the same reason a warning makes the outcome of a write unknown.
 */
final class LockSession {
  /** SQL states if another transaction has just created the table. */
  private static final Set<String> ALREADY_EXISTS = Set.of("42P07", "23505");

  private final PostgresStorePlan plan;
  private final Connection connection;
  private final LeaseSql sql;
  private final LeaseRowReader rows;
  private final int pid;
  private final String incarnation;
  private final Duration askTimeout;
  private final Duration writeTimeout;
  private volatile boolean locked;

  LockSession(
      PostgresStorePlan plan, Connection connection, LeaseSql sql, int pid, String incarnation) {
    this.plan = plan;
    this.connection = connection;
    this.sql = sql;
    this.rows = new LeaseRowReader(plan, sql);
    this.pid = pid;
    this.incarnation = incarnation;
    this.askTimeout = plan.timing().askTimeout();
    this.writeTimeout = plan.timing().lease().multipliedBy(2);
  }

  /**
   * Sets the maximum time of the next statements; after it the session counts as lost. Writes get a
   * long timeout, since they may have been executed. Reads get a short one: a connection that
   * failed while the session was idle must not delay a takeover.
   */
  private void setTimeout(Duration timeout) throws SQLException {
    connection.setNetworkTimeout(Runnable::run, (int) timeout.toMillis());
  }

  /** Rounds up: the recorded lease must not be shorter than the one the holder relies on. */
  private static long millis(Duration duration) {
    return duration.plusNanos(999_999).toMillis();
  }

  /** Incarnation of the database; can't change during the session. */
  String incarnation() {
    return incarnation;
  }

  /** Whether this session holds the lock. Session locks stack, so it is taken once. */
  boolean isLocked() {
    return locked;
  }

  boolean tryLock() throws SQLException, UnusableServerException {
    if (!locked) {
      setTimeout(askTimeout);
      locked = callOnOwnBackend("pg_try_advisory_lock(?)");
    }
    return locked;
  }

  void unlock() throws SQLException, UnusableServerException {
    if (locked) {
      locked = false;
      callOnOwnBackend("pg_advisory_unlock(?)");
    }
  }

  /**
   * Calls a lock function on the session's own backend only: a lock taken on another backend
   * through a pooler would stay there.
   */
  private boolean callOnOwnBackend(String function) throws SQLException, UnusableServerException {
    String query =
        "SELECT pg_backend_pid() = ?, CASE WHEN pg_backend_pid() = ? THEN " + function + " END";
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      statement.setInt(1, pid);
      statement.setInt(2, pid);
      statement.setLong(3, plan.lockKey());
      try (ResultSet result = statement.executeQuery()) {
        result.next();
        if (!result.getBoolean(1)) {
          throw new UnusableServerException.PooledConnectionException();
        }
        return result.getBoolean(2);
      }
    }
  }

  /**
   * Throws if the statements of this session do not all reach the same backend, or its lock is not
   * visible there.
   */
  void ensureUnpooled() throws SQLException, UnusableServerException {
    String query =
        "SELECT pg_backend_pid(), EXISTS (SELECT FROM pg_locks l WHERE l.locktype = 'advisory'"
            + " AND l.pid = pg_backend_pid() AND l.granted AND l.objsubid = 1"
            + " AND (l.classid::bigint << 32 | l.objid::bigint) = ?)";
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      statement.setLong(1, plan.lockKey());
      try (ResultSet found = statement.executeQuery()) {
        found.next();
        if (found.getInt(1) != pid || found.getBoolean(2) != locked) {
          throw new UnusableServerException.PooledConnectionException();
        }
      }
    }
  }

  LeaseRow read() throws SQLException, UnusableServerException {
    return rows.read(connection);
  }

  /** Checks the INSERT privilege, which is required only if the row does not exist. */
  void ensureMayInsert() throws SQLException, UnusableServerException {
    PrivilegeCheck.checkForInsert(connection, plan);
  }

  /** Inserts a row without a holder if there is none. */
  void insertInitialRow(Claim claim, LeaseRow seen, Duration wait, long firstBeat)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql.insertInitialRow())) {
      statement.setString(1, plan.scope());
      statement.setLong(2, plan.lockKey());
      statement.setLong(3, claim.initialEpoch(seen.unixSecond()));
      statement.setLong(4, millis(wait));
      statement.setLong(5, firstBeat);
      statement.setString(6, seen.incarnation());
      statement.executeUpdate();
      ensureNoWarnings(statement);
    }
  }

  /** Takes the lease under {@code epoch} if the row is unchanged since it was read. */
  boolean take(Claim claim, LeaseRow seen, LeaseRow.Content content, long epoch)
      throws SQLException {
    setTimeout(writeTimeout);
    try (PreparedStatement statement = connection.prepareStatement(sql.take())) {
      statement.setLong(1, plan.lockKey());
      statement.setLong(2, epoch);
      statement.setString(3, claim.node());
      statement.setString(4, claim.address());
      statement.setLong(5, millis(claim.lease()));
      statement.setString(6, seen.incarnation());
      statement.setString(7, plan.scope());
      statement.setLong(8, content.epoch());
      statement.setLong(9, content.beats());
      statement.setString(10, content.holder());
      statement.setInt(11, pid);
      statement.setString(12, NotifyPayload.text(plan, claim.node(), epoch));
      return hasRow(statement);
    }
  }

  boolean renew(LeaseRequest.Renew renewal) throws SQLException {
    setTimeout(writeTimeout);
    try (PreparedStatement statement = connection.prepareStatement(sql.renew())) {
      statement.setLong(1, millis(renewal.lease()));
      statement.setString(2, renewal.address());
      statement.setString(3, plan.scope());
      statement.setLong(4, renewal.epoch());
      statement.setString(5, renewal.node());
      int updated = statement.executeUpdate();
      ensureNoWarnings(statement);
      return updated == 1;
    }
  }

  /** Marks the row released and frees the lock in one statement, if the node still holds it. */
  boolean release(LeaseRequest.Release release) throws SQLException {
    setTimeout(writeTimeout);
    try (PreparedStatement statement = connection.prepareStatement(sql.release())) {
      statement.setString(1, plan.scope());
      statement.setLong(2, release.epoch());
      statement.setString(3, release.node());
      statement.setString(4, NotifyPayload.text(plan, release));
      statement.setBoolean(5, locked);
      statement.setLong(6, plan.lockKey());
      boolean released = hasRow(statement);
      locked = locked && !released;
      return released;
    }
  }

  /** Terminates the session recorded in the row; returns its process id, null if it is gone. */
  @Nullable Integer terminateHolder(LeaseRow.Content content) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql.terminateHolder())) {
      statement.setString(1, plan.scope());
      statement.setLong(2, content.epoch());
      statement.setLong(3, content.beats());
      try (ResultSet terminated = statement.executeQuery()) {
        return terminated.next() ? terminated.getInt(1) : null;
      }
    }
  }

  /** Returns the session that holds the lock, null if it is free. */
  @Nullable LockHolder lockHolder() throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql.lockHolder())) {
      statement.setString(1, plan.scope());
      statement.setLong(2, plan.lockKey());
      try (ResultSet found = statement.executeQuery()) {
        return found.next()
            ? new LockHolder(found.getInt(1), found.getBoolean(2), found.getBoolean(3))
            : null;
      }
    }
  }

  /**
   * A session that holds the lock.
   *
   * @param pid process id of the backend
   * @param isRecorded whether it is the session recorded in the row
   * @param isHidden whether only its process id is visible, since it belongs to another role
   */
  record LockHolder(int pid, boolean isRecorded, boolean isHidden) {}

  /**
   * Creates the table and its first row in one transaction; returns false if another session is
   * creating it.
   */
  boolean createTable(Claim claim, Duration wait, long firstBeat)
      throws SQLException, UnusableServerException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      long tableKey = AdvisoryLockKey.of("table " + plan.table());
      boolean locked;
      try (ResultSet lock =
          statement.executeQuery("SELECT pg_try_advisory_xact_lock(" + tableKey + ")")) {
        locked = lock.next() && lock.getBoolean(1);
      }
      if (locked) {
        statement.execute(LeaseSql.definition(plan.table()));
        insertInitialRow(claim, read(), wait, firstBeat);
      }
      connection.commit();
      return locked;
    } catch (SQLException e) {
      connection.rollback();
      if (!ALREADY_EXISTS.contains(String.valueOf(e.getSQLState()))) {
        throw e;
      }
      return false;
    } catch (UnusableServerException | RuntimeException e) {
      connection.rollback();
      throw e;
    } finally {
      connection.setAutoCommit(true);
    }
  }

  private static boolean hasRow(PreparedStatement statement) throws SQLException {
    boolean hasRow;
    try (ResultSet result = statement.executeQuery()) {
      hasRow = result.next();
    }
    ensureNoWarnings(statement);
    return hasRow;
  }

  /** Throws a warning as exception: the change may not be as durable as required. */
  private static void ensureNoWarnings(Statement statement) throws SQLException {
    SQLWarning warning = statement.getWarnings();
    if (warning != null) {
      throw warning;
    }
  }

  /** False once the connection is known to be lost. */
  boolean isOpen() {
    try {
      return !connection.isClosed();
    } catch (SQLException e) {
      return false;
    }
  }

  void close() {
    ConnectionFactory.closeQuietly(connection);
  }

  /** Aborts the session from another thread, even during a statement. */
  void abort() {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException e) {
      return; // The connection is unusable either way.
    }
  }
}
