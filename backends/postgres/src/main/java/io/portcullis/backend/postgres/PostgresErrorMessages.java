package io.portcullis.backend.postgres;

import io.portcullis.backend.postgres.jdbc.SqlErrorMessages;
import io.portcullis.backend.postgres.jdbc.SqlErrorMessages.EpochRepair;
import io.portcullis.election.store.EpochRangeException;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.util.Map;

/** Error messages of one election, with the database and a remedy. They contain no secrets. */
final class PostgresErrorMessages {
  private final PostgresStorePlan plan;
  private final SqlErrorMessages messages;

  PostgresErrorMessages(PostgresStorePlan plan) {
    this.plan = plan;
    Map<String, String> known =
        Map.ofEntries(
            Map.entry("28P01", "refuses the password; check postgres.user and password-file"),
            Map.entry(
                "28000", "refuses the login of this role; check postgres.user and pg_hba.conf"),
            Map.entry("3D000", "has no such database; check postgres.url"),
            Map.entry(
                "25006",
                "is read-only: it is not a primary, or default_transaction_read_only is on"),
            Map.entry("53300", "has no free connection; a node needs up to four"),
            Map.entry(
                "55P03", "the row of scope " + plan.scope() + " is locked by another session"),
            Map.entry("57P01", "has terminated the session"),
            Map.entry("57P02", "has terminated the session after a crash"),
            Map.entry("57P03", "is starting up or shutting down"));
    this.messages = new SqlErrorMessages(plan.access(), known);
  }

  String message(SQLException failure) {
    return messages.of(failure);
  }

  /** Returns the message for an invalid row. */
  String message(IllegalArgumentException wrong) {
    String row = "the row of scope " + plan.scope() + " in " + plan.table();
    return wrong instanceof EpochRangeException epoch
        ? at(epoch.sentence(row, EpochRepair.statement(plan.table().quoted(), plan.scope())))
        : at(row + " is invalid: " + wrong.getMessage() + "; fix or delete it");
  }

  /** Returns the message for a lock held by a session that the row does not name. */
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
            + " path, name the schema in postgres.table; if it belongs to no node, run SELECT"
            + " pg_terminate_backend("
            + pid
            + ")");
  }

  /** Prefixes a message with the address of the database. */
  String at(String what) {
    return messages.at(what);
  }

  /** Whether the server returned an error that leaves the session usable. */
  static boolean leavesSessionSound(SQLException failure) {
    String state = failure.getSQLState();
    return failure instanceof SQLWarning
        || (state != null && !state.startsWith("08") && !state.startsWith("57P"));
  }
}
