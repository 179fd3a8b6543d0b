package io.portcullis.backend.postgres;

import io.portcullis.backend.postgres.jdbc.UnusableServerException;
import io.portcullis.election.store.EpochRange;
import io.portcullis.election.store.EpochRangeException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the election's row; checks that the server is a primary and the table is logged. */
final class LeaseRowReader {
  private static final String NO_TABLE = "42P01";

  /** SQL state of old servers if the schema is missing too. */
  private static final String NO_SCHEMA = "3F000";

  private final PostgresStorePlan plan;
  private final LeaseSql sql;

  LeaseRowReader(PostgresStorePlan plan, LeaseSql sql) {
    this.plan = plan;
    this.sql = sql;
  }

  static boolean isMissingTable(SQLException e) {
    return NO_TABLE.equals(e.getSQLState()) || NO_SCHEMA.equals(e.getSQLState());
  }

  /** Reads the row. The exception for a missing table matches {@link #isMissingTable}. */
  LeaseRow read(Connection connection) throws SQLException, UnusableServerException {
    try (PreparedStatement statement = connection.prepareStatement(sql.read())) {
      statement.setString(1, plan.scope());
      try (ResultSet found = statement.executeQuery()) {
        found.next();
        LeaseRow row = row(found);
        if (found.next()) {
          throw new UnusableServerException(
              "table "
                  + plan.table()
                  + " has several rows of scope "
                  + plan.scope()
                  + ", so it has no primary key; delete all but the newest and run ALTER TABLE "
                  + plan.table()
                  + " ADD PRIMARY KEY (scope)");
        }
        return row;
      }
    }
  }

  /** Reads the incarnation of the server, which must be a primary. */
  static String incarnation(Connection connection, DatabaseIncarnation incarnation)
      throws SQLException, UnusableServerException {
    try (Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery("SELECT " + incarnation.expression())) {
      found.next();
      return ensurePrimary(found.getString(1));
    }
  }

  private static String ensurePrimary(@Nullable String incarnation) throws UnusableServerException {
    if (incarnation == null) {
      throw new UnusableServerException(
          "is a replica in recovery, which can't hold an election; name the primary in"
              + " postgres.url, or all servers: jdbc:postgresql://a,b/app");
    }
    return incarnation;
  }

  private LeaseRow row(ResultSet found) throws SQLException, UnusableServerException {
    String incarnation = ensurePrimary(found.getString("life"));
    ensureLoggedTable(found.getString("kind"));
    long unixSecond = found.getLong("unix_second");
    if (!found.getBoolean("present")) {
      return new LeaseRow(incarnation, unixSecond, null);
    }
    String holder = found.getString("holder_identity");
    if (holder == null) {
      throw new IllegalArgumentException("holder_identity is null");
    }
    return new LeaseRow(
        incarnation,
        unixSecond,
        new LeaseRow.Content(
            found.getLong("scope_key"),
            epoch(found.getString("epoch"), holder, unixSecond),
            holder,
            found.getString("address"),
            found.getLong("lease_ms"),
            found.getLong("beats"),
            found.getBoolean("released"),
            Objects.requireNonNullElse(found.getString("granted_in"), ""),
            found.getBoolean("recent")));
  }

  /** A row with a holder must have an epoch; only a row without a holder may lack one. */
  private static long epoch(@Nullable String text, String holder, long unixSecond) {
    long epoch = EpochRange.parse(String.valueOf(text), unixSecond);
    if (epoch == 0 && !holder.isEmpty()) {
      throw EpochRangeException.implausible("0");
    }
    return epoch;
  }

  /** Throws unless the table is an ordinary, logged table, whose content survives a crash. */
  private void ensureLoggedTable(String kind) throws UnusableServerException {
    if (kind.equals("rp")) {
      return;
    }
    String remedy =
        kind.equals("ru")
            ? "is unlogged, so that a crash would empty it; run ALTER TABLE "
                + plan.table()
                + " SET LOGGED"
            : "is not an ordinary table; create one with: " + LeaseSql.definition(plan.table());
    throw new UnusableServerException("table " + plan.table() + " " + remedy);
  }
}
