package io.portcullis.backend.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says once what is worth knowing about a server's set-up, and what was done without the lock. */
final class Notices {
  private static final Logger LOG = LoggerFactory.getLogger(Notices.class);

  private final PostgresPlan plan;
  private boolean opened;
  private @Nullable String notReady;
  private boolean keyDiffers;
  private boolean mayNotEnd;

  Notices(PostgresPlan plan) {
    this.plan = plan;
  }

  /** Looks at the server behind the first session. */
  void onOpened(Connection connection) throws SQLException {
    if (opened) {
      return;
    }
    opened = true;
    String question =
        "SELECT current_setting('fsync'), current_setting('synchronous_standby_names'),"
            + " (SELECT count(*) FROM pg_stat_replication)";
    try (Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery(question)) {
      found.next();
      if (found.getString(1).equals("off")) {
        LOG.warn(
            "{}: fsync is off: a crash of its host may undo grants, and then two nodes may lead or"
                + " an epoch come twice; set fsync = on",
            plan.describe());
      }
      if (found.getString(2).isEmpty() && found.getLong(3) > 0) {
        LOG.warn(
            "{}: has replicas, but synchronous_standby_names is empty: a failover may forget a"
                + " grant while the old primary still serves its leader; make one of them"
                + " synchronous",
            plan.describe());
      }
    }
  }

  /** The session can't be opened: this node could not take over if it had to. */
  void onNotReady(String why) {
    if (!why.equals(notReady)) {
      notReady = why;
      LOG.warn("{}: this node could not lead now: {}", plan.describe(), why);
    }
  }

  void onReady() {
    if (notReady != null) {
      notReady = null;
      LOG.info("{}: this node could lead again", plan.describe());
    }
  }

  /** Another node uses another lock for the same row. */
  void onRow(Row.Content content) {
    if (content.scopeKey() != plan.lockKey() && !content.holder().isEmpty() && !keyDiffers) {
      keyDiffers = true;
      LOG.warn(
          "{}: {} has lock-key {}; the row keeps the election safe, but give all nodes the same one",
          plan.describe(),
          content.holder(),
          content.scopeKey());
    }
  }

  void onEnded(int pid, Row.Content content) {
    LOG.warn(
        "{}: ended backend {} of {}, which has not beaten for its whole lease of {} ms and still"
            + " held the lock",
        plan.describe(),
        pid,
        content.holder(),
        content.leaseMillis());
  }

  void onMayNotEnd(SQLException e) {
    if (!mayNotEnd) {
      mayNotEnd = true;
      LOG.warn(
          "{}: may not end the backend of a dead holder ({}); let all nodes use the same role, or"
              + " GRANT pg_signal_backend, pg_read_all_stats to it",
          plan.describe(),
          e.getMessage());
    }
  }

  void onTakenWithoutLock(long epoch) {
    LOG.warn(
        "{}: took the lease under epoch {} without the advisory lock, which the backend of the last"
            + " holder does not let go of; see pg_locks",
        plan.describe(),
        epoch);
  }
}
