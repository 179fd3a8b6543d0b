package io.portcullis.backend.postgres.fence;

import io.portcullis.backend.postgres.jdbc.JdbcConnector;
import io.portcullis.backend.postgres.jdbc.UnusableServerException;
import io.portcullis.election.threads.DaemonThreads;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the sessions that still keep a waiting installer from its locks, once they had their time.
 * It looks while the installer waits, since only then the server knows whom it waits for, and again
 * and again, since a row that several keep is waited for one by one. Only who holds a lock is
 * ended, not who stands in line for it.
 */
final class BlockerTermination implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");
  private static final Duration POLL_INTERVAL = Duration.ofMillis(25);
  private static final String NOT_PERMITTED = "42501";

  /** As text, because a comparison of rows takes its operators from the search path. */
  private static final String LOCKED_OBJECT_SQL =
      "ROW(%1$s.locktype, %1$s.database, %1$s.relation, %1$s.page, %1$s.tuple, %1$s.virtualxid,"
          + " %1$s.transactionid, %1$s.classid, %1$s.objid, %1$s.objsubid)::pg_catalog.text";

  private static final String SAME_INSTALLER =
      "EXISTS (SELECT FROM pg_catalog.pg_stat_activity i WHERE i.pid OPERATOR(pg_catalog.=) ?"
          + " AND extract(epoch FROM i.backend_start)::pg_catalog.text OPERATOR(pg_catalog.=) ?)";

  /** Whom the installer waits for: who is given what it waits for, and prepared transactions. */
  private static final String BLOCKERS_SQL =
      "SELECT DISTINCT b.pid, extract(epoch FROM a.backend_start)::pg_catalog.text, a.usename,"
          + " a.application_name FROM pg_catalog.unnest(pg_catalog.pg_blocking_pids(?)) AS b (pid)"
          + " LEFT JOIN pg_catalog.pg_stat_activity a ON a.pid OPERATOR(pg_catalog.=) b.pid"
          + " WHERE (b.pid OPERATOR(pg_catalog.=) 0 OR EXISTS (SELECT FROM pg_catalog.pg_locks w"
          + " JOIN pg_catalog.pg_locks h ON "
          + LOCKED_OBJECT_SQL.formatted("h")
          + " OPERATOR(pg_catalog.=) "
          + LOCKED_OBJECT_SQL.formatted("w")
          + " WHERE w.pid OPERATOR(pg_catalog.=) ? AND NOT w.granted"
          + " AND h.pid OPERATOR(pg_catalog.=) b.pid AND h.granted)) AND "
          + SAME_INSTALLER;

  /** A process id may have been given to another since. */
  private static final String TERMINATE_SQL =
      "SELECT pg_catalog.pg_terminate_backend(a.pid) FROM pg_catalog.pg_stat_activity a"
          + " WHERE a.pid OPERATOR(pg_catalog.=) ?"
          + " AND coalesce(extract(epoch FROM a.backend_start)::pg_catalog.text, '')"
          + " OPERATOR(pg_catalog.=) coalesce(?::pg_catalog.text, '')"
          + " AND a.pid OPERATOR(pg_catalog.=) ANY (pg_catalog.pg_blocking_pids(?)) AND "
          + SAME_INSTALLER;

  /**
   * The session that waits.
   *
   * @param pid its process
   * @param started tells it from others that have had the same number
   */
  record Installer(int pid, String started) {
    /** How a session asks for its own. */
    static final String SELF_QUERY =
        "SELECT a.pid, extract(epoch FROM a.backend_start)::pg_catalog.text"
            + " FROM pg_catalog.pg_stat_activity a"
            + " WHERE a.pid OPERATOR(pg_catalog.=) pg_catalog.pg_backend_pid()";
  }

  /** Where evictions are decided for one fence. */
  record Factory(PostgresFencePlan plan, String node, JdbcConnector connector) {
    BlockerTermination open(Installer installer) {
      BlockerTermination eviction = new BlockerTermination(this, installer);
      eviction.thread.start();
      return eviction;
    }
  }

  /** A session in the way. */
  private record Blocker(
      int pid, @Nullable String started, @Nullable String role, @Nullable String application) {
    @Override
    public String toString() {
      return pid == 0
          ? "a prepared transaction"
          : "backend " + pid + " of role " + role + " (" + application + ")";
    }
  }

  private final Factory factory;
  private final Installer installer;
  private final Thread thread;
  private final CountDownLatch finished = new CountDownLatch(1);
  private volatile String found = "";

  /** Several may take turns in the way, and none is news twice. */
  private final Set<String> logged = new HashSet<>();

  private BlockerTermination(Factory court, Installer installer) {
    this.factory = court;
    this.installer = installer;
    this.thread =
        DaemonThreads.unstarted(
            "portcullis-fence-" + court.plan().scope() + "-eviction", this::run);
  }

  private void run() {
    try {
      if (isOverWithin(factory.plan().patience())) {
        return;
      }
      Connection connection =
          factory
              .connector()
              .open(
                  "portcullis fence eviction " + factory.node(),
                  FenceSession.ANSWER_TIMEOUT,
                  FenceSession.ANSWER_TIMEOUT);
      try {
        do {
          terminateAll(connection);
        } while (!isOverWithin(POLL_INTERVAL));
      } finally {
        JdbcConnector.closeQuietly(connection);
      }
    } catch (SQLException e) {
      found = "they could not be ended: " + e.getMessage();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isOverWithin(Duration time) throws InterruptedException {
    return finished.await(time.toNanos(), TimeUnit.NANOSECONDS);
  }

  private void terminateAll(Connection connection) throws SQLException {
    for (Blocker blocker : blockers(connection)) {
      if (finished.getCount() == 0) {
        return;
      }
      terminate(connection, blocker);
    }
  }

  private List<Blocker> blockers(Connection connection) throws SQLException {
    List<Blocker> blockers = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(BLOCKERS_SQL)) {
      statement.setInt(1, installer.pid());
      statement.setInt(2, installer.pid());
      statement.setInt(3, installer.pid());
      statement.setString(4, installer.started());
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          blockers.add(
              new Blocker(rows.getInt(1), rows.getString(2), rows.getString(3), rows.getString(4)));
        }
      }
    }
    return blockers;
  }

  private void terminate(Connection connection, Blocker blocker) throws SQLException {
    if (blocker.pid() == 0) {
      warnBlocked("a prepared transaction keeps it; COMMIT PREPARED or ROLLBACK PREPARED ends it");
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(TERMINATE_SQL)) {
      statement.setInt(1, blocker.pid());
      statement.setString(2, blocker.started());
      statement.setInt(3, installer.pid());
      statement.setInt(4, installer.pid());
      statement.setString(5, installer.started());
      try (ResultSet done = statement.executeQuery()) {
        if (done.next()) {
          logTerminated(blocker);
        }
      }
    } catch (SQLException e) {
      if (!NOT_PERMITTED.equals(e.getSQLState())) {
        throw e;
      }
      warnBlocked(
          blocker
              + " keeps it, and may not be ended by this role. Run: GRANT pg_signal_backend TO the"
              + " fence's role ("
              + e.getMessage()
              + ")");
    }
  }

  /** At once: the lease may end before the installer gives up. */
  private void warnBlocked(String what) {
    found = what;
    if (logged.add(what)) {
      LOG.warn(
          "portcullis node={} fence {} can't be raised: {}",
          factory.node(),
          factory.plan().scope(),
          what);
    }
  }

  private void logTerminated(Blocker blocker) {
    String now = blocker + " keeps it, though the server was told to end it";
    found = now;
    if (logged.add(now)) {
      LOG.warn(
          "portcullis node={} ended {}: it kept fence {} under an older epoch for longer than {} ms",
          factory.node(),
          blocker,
          factory.plan().scope(),
          factory.plan().patience().toMillis());
    }
  }

  /** The installer has given up. */
  UnusableServerException timeoutException(SQLException timeout) {
    return new UnusableServerException(
        "fence "
            + factory.plan().scope()
            + " could not be raised, since work under an older epoch still goes on: "
            + (found.isEmpty() ? String.valueOf(timeout.getMessage()) : found));
  }

  /** Ends nobody any more once it returns. */
  @Override
  public void close() {
    finished.countDown();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
