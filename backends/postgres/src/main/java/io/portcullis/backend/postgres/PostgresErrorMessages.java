package io.portcullis.backend.postgres;

import io.portcullis.backend.postgres.jdbc.SqlErrorMessages;
import io.portcullis.backend.postgres.jdbc.SqlErrorMessages.EpochRepair;
import io.portcullis.election.store.EpochRangeException;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.util.Map;

/** Turns failures into sentences that name the place and the remedy, and tell no secret. */
final class PostgresErrorMessages {
  private final PostgresStorePlan plan;
  private final SqlErrorMessages messages;

  PostgresErrorMessages(PostgresStorePlan plan) {
    this.plan = plan;
    Map<String, String> known =
        Map.ofEntries(
            Map.entry("28P01", "refuses the password; check postgres.user and password-file"),
            Map.entry("28000", "does not let this role in; check postgres.user and pg_hba.conf"),
            Map.entry("3D000", "has no such database; check postgres.url"),
            Map.entry(
                "25006",
                "takes no writes: it is no primary, or default_transaction_read_only is on"),
            Map.entry("53300", "has no connection to spare; a node needs up to four"),
            Map.entry("55P03", "somebody keeps the row of scope " + plan.scope() + " locked"),
            Map.entry("57P01", "has ended the session"),
            Map.entry("57P02", "has ended the session after a crash"),
            Map.entry("57P03", "is starting up or shutting down"));
    this.messages = new SqlErrorMessages(plan.access(), known);
  }

  String message(SQLException failure) {
    return messages.of(failure);
  }

  /** A row that can't be right. */
  String message(IllegalArgumentException wrong) {
    String row = "the row of scope " + plan.scope() + " in " + plan.table();
    return wrong instanceof EpochRangeException epoch
        ? at(epoch.sentence(row, EpochRepair.statement(plan.table().quoted(), plan.scope())))
        : at(row + " can't be right: " + wrong.getMessage() + "; fix or delete it");
  }

  /** The lock is kept by a session that the row does not name. */
  String lockHeldBy(int pid) {
    return at(
        "backend "
            + pid
            + " holds lock "
            + plan.lockKey()
            + " of scope "
            + plan.scope()
            + ", but the row in "
            + plan.table()
            + " does not name it. If it belongs to a node that finds another table by its search"
            + " path, name the schema in postgres.table; if to nobody, run SELECT"
            + " pg_terminate_backend("
            + pid
            + ")");
  }

  /** A sentence about this database. */
  String at(String what) {
    return messages.at(what);
  }

  /** True if the server itself refused and the session can go on. */
  static boolean leavesSessionSound(SQLException failure) {
    String state = failure.getSQLState();
    return failure instanceof SQLWarning
        || (state != null && !state.startsWith("08") && !state.startsWith("57P"));
  }
}
