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
 * Terminates the sessions that block a waiting installer's locks, after their grace period. It
 * polls while the installer waits, since only then the server knows the blocking sessions. It polls
 * repeatedly, since a row locked by several sessions is waited for one session at a time. Only
 * sessions that hold a lock are terminated, not those that wait for it.
 */
final class BlockerTermination implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");
  private static final Duration POLL_INTERVAL = Duration.ofMillis(25);
  private static final String NOT_PERMITTED = "42501";

  /** Compared as text, because a row comparison uses operators from the search path. */
  private static final String LOCKED_OBJECT_SQL =
      "ROW(%1$s.locktype, %1$s.database, %1$s.relation, %1$s.page, %1$s.tuple, %1$s.virtualxid,"
          + " %1$s.transactionid, %1$s.classid, %1$s.objid, %1$s.objsubid)::pg_catalog.text";

  private static final String SAME_INSTALLER =
      "EXISTS (SELECT FROM pg_catalog.pg_stat_activity i WHERE i.pid OPERATOR(pg_catalog.=) ?"
          + " AND extract(epoch FROM i.backend_start)::pg_catalog.text OPERATOR(pg_catalog.=) ?)";

  /** Sessions that hold a lock the installer waits for, and prepared transactions. */
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

  /** Also compares the start time, since a process id may have been reused. */
  private static final String TERMINATE_SQL =
      "SELECT pg_catalog.pg_terminate_backend(a.pid) FROM pg_catalog.pg_stat_activity a"
          + " WHERE a.pid OPERATOR(pg_catalog.=) ?"
          + " AND coalesce(extract(epoch FROM a.backend_start)::pg_catalog.text, '')"
          + " OPERATOR(pg_catalog.=) coalesce(?::pg_catalog.text, '')"
          + " AND a.pid OPERATOR(pg_catalog.=) ANY (pg_catalog.pg_blocking_pids(?)) AND "
          + SAME_INSTALLER;

  /**
   * The session that waits for the locks.
   *
   * @param pid process id of the backend
   * @param started start time; distinguishes it from others with the same process id
   */
  record Installer(int pid, String started) {
    /** Query with which a session reads its own values. */
    static final String SELF_QUERY =
        "SELECT a.pid, extract(epoch FROM a.backend_start)::pg_catalog.text"
            + " FROM pg_catalog.pg_stat_activity a"
            + " WHERE a.pid OPERATOR(pg_catalog.=) pg_catalog.pg_backend_pid()";
  }

  /** Creates the terminations of one fence. */
  record Factory(PostgresFencePlan plan, String node, JdbcConnector connector) {
    BlockerTermination open(Installer installer) {
      BlockerTermination termination = new BlockerTermination(this, installer);
      termination.thread.start();
      return termination;
    }
  }

  /** A session or prepared transaction that blocks the installer. */
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
  private volatile String lastProblem = "";

  /** Messages already logged, so that each is logged once. */
  private final Set<String> logged = new HashSet<>();

  private BlockerTermination(Factory factory, Installer installer) {
    this.factory = factory;
    this.installer = installer;
    this.thread =
        DaemonThreads.unstarted(
            "portcullis-fence-" + factory.plan().scope() + "-eviction", this::run);
  }

  private void run() {
    try {
      if (finishesWithin(factory.plan().writerTimeout())) {
        return;
      }
      Connection connection =
          factory
              .connector()
              .open(
                  "portcullis fence eviction " + factory.node(),
                  FenceSession.RESPONSE_TIMEOUT,
                  FenceSession.RESPONSE_TIMEOUT);
      try {
        do {
          terminateAll(connection);
        } while (!finishesWithin(POLL_INTERVAL));
      } finally {
        JdbcConnector.closeQuietly(connection);
      }
    } catch (SQLException e) {
      lastProblem = "the blocking sessions could not be terminated: " + e.getMessage();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean finishesWithin(Duration time) throws InterruptedException {
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
      warnBlocked("a prepared transaction blocks it; run COMMIT PREPARED or ROLLBACK PREPARED");
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
              + " blocks it, and this role may not terminate it. Run: GRANT pg_signal_backend TO"
              + " the fence's role ("
              + e.getMessage()
              + ")");
    }
  }

  /** Logs immediately, since the lease may end before the installer times out. */
  private void warnBlocked(String problem) {
    lastProblem = problem;
    if (logged.add(problem)) {
      LOG.warn(
          "portcullis node={} fence {} can't be raised: {}",
          factory.node(),
          factory.plan().scope(),
          problem);
    }
  }

  private void logTerminated(Blocker blocker) {
    String problem = blocker + " still blocks it after pg_terminate_backend";
    lastProblem = problem;
    if (logged.add(problem)) {
      LOG.warn(
          "portcullis node={} terminated {}: it blocked fence {} under an older epoch for longer"
              + " than {} ms",
          factory.node(),
          blocker,
          factory.plan().scope(),
          factory.plan().writerTimeout().toMillis());
    }
  }

  /** Returns the exception for an installer that timed out. */
  UnusableServerException timeoutException(SQLException timeout) {
    return new UnusableServerException(
        "fence "
            + factory.plan().scope()
            + " could not be raised, since transactions under an older epoch are still running: "
            + (lastProblem.isEmpty() ? String.valueOf(timeout.getMessage()) : lastProblem));
  }

  /** Stops the termination; no session is terminated after this returns. */
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
