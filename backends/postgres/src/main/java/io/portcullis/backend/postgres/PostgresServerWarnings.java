package io.portcullis.backend.postgres;

import io.portcullis.election.backend.OneTimeWarnings;
import io.portcullis.election.config.ElectionConfig;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs problems of the server's configuration, each once, and actions against a dead holder.
 * Thread-safe.
 */
final class PostgresServerWarnings {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  private final PostgresStorePlan plan;
  private final ElectionConfig config;
  private final OneTimeWarnings warnings = new OneTimeWarnings(LOG);
  private @Nullable String notReady;

  PostgresServerWarnings(PostgresStorePlan plan, ElectionConfig config) {
    this.plan = plan;
    this.config = config;
  }

  private void warn(String what) {
    LOG.warn(line(what));
  }

  private void warnOnce(String topic, String what) {
    warnings.warn(topic, line(what));
  }

  private String line(String what) {
    return "portcullis election="
        + config.name()
        + " node="
        + config.identity()
        + " "
        + what
        + " "
        + plan.logSuffix();
  }

  /** Checks the configuration of the server at the first session. */
  void onOpened(Connection connection) throws SQLException {
    if (!warnings.isFirst("server settings")) {
      return;
    }
    String query =
        "SELECT current_setting('fsync'), current_setting('synchronous_standby_names'),"
            + " (SELECT count(*) FROM pg_stat_replication)";
    try (Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery(query)) {
      found.next();
      if (found.getString(1).equals("off")) {
        warn(
            "fsync is off in the database: a crash of its host may undo grants, and then an epoch"
                + " may be granted twice; set fsync = on");
      }
      if (found.getString(2).isEmpty() && found.getLong(3) > 0) {
        warn(
            "the database has replicas, but synchronous_standby_names is empty: a failover may"
                + " lose a grant while the old primary still serves its leader; make one of them"
                + " synchronous");
      }
    }
  }

  /** A new incarnation of the database can't be detected. */
  void onIncarnationUnknown(SQLException e) {
    warnOnce(
        "life",
        "the incarnation of the database is unknown ("
            + e.getMessage()
            + "): nodes that start after a failover do not detect lost commits. Run:"
            + " GRANT EXECUTE ON FUNCTION pg_control_system(), pg_current_wal_lsn(),"
            + " pg_walfile_name(pg_lsn) TO "
            + plan.access().user()
            + ";");
  }

  /** The session can't be opened, so this node could not take over now. */
  synchronized void onNotReady(String why) {
    if (!why.equals(notReady)) {
      notReady = why;
      warn("could not lead now why=\"" + why + "\"");
    }
  }

  synchronized void onReady() {
    if (notReady != null) {
      notReady = null;
      LOG.info(
          "portcullis election={} node={} is ready to lead again {}",
          config.name(),
          config.identity(),
          plan.logSuffix());
    }
  }

  /** The table was created: at the first start, or because it was dropped. */
  void onCreated() {
    LOG.info(
        "portcullis election={} node={} created table {} {}",
        config.name(),
        config.identity(),
        plan.table(),
        plan.logSuffix());
  }

  /** Another node uses another lock key for the same row. */
  void onRow(LeaseRow.Content content) {
    if (content.scopeKey() != plan.lockKey() && !content.holder().isEmpty()) {
      warnOnce(
          "lock-key",
          content.holder()
              + " has lock-key "
              + content.scopeKey()
              + "; the row keeps the election safe, but set the same lock-key on all nodes");
    }
  }

  void onTerminated(int pid, LeaseRow.Content content) {
    warn(
        "terminated backend "
            + pid
            + " of "
            + content.holder()
            + ", which sent no heartbeat for its whole lease of "
            + content.leaseMillis()
            + " ms and still held the lock");
  }

  void onTerminateDenied(String why) {
    warnOnce(
        "signal",
        "may not terminate the backend of a dead holder ("
            + why
            + "); let all nodes use the same role, or run: GRANT pg_signal_backend,"
            + " pg_read_all_stats TO "
            + plan.access().user()
            + ";");
  }

  void onTakenWithoutLock(long epoch) {
    warn(
        "took the lease under epoch "
            + epoch
            + " without the advisory lock, which the backend of the last holder still holds; see"
            + " pg_locks");
  }
}
