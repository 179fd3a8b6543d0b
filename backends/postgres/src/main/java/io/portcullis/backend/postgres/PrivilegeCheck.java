package io.portcullis.backend.postgres;

import io.portcullis.backend.postgres.jdbc.TableName;
import io.portcullis.backend.postgres.jdbc.UnusableServerException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Checks the privileges of the role and names the statements that grant missing ones. */
final class PrivilegeCheck {
  private static final String NOT_PERMITTED = "42501";
  private static final List<String> FUNCTIONS =
      List.of(
          "pg_try_advisory_lock(bigint)", "pg_advisory_unlock(bigint)", "pg_notify(text, text)");

  private PrivilegeCheck() {}

  static boolean isPermissionDenied(SQLException e) {
    return NOT_PERMITTED.equals(e.getSQLState());
  }

  /** Throws if a privilege is missing that is always required; the message has the remedy. */
  static void check(Connection connection, PostgresStorePlan plan)
      throws SQLException, UnusableServerException {
    check(connection, plan, false);
  }

  /** Also requires INSERT on the table, which is needed only if the row does not exist. */
  static void checkForInsert(Connection connection, PostgresStorePlan plan)
      throws SQLException, UnusableServerException {
    check(connection, plan, true);
  }

  private static void check(Connection connection, PostgresStorePlan plan, boolean inserting)
      throws SQLException, UnusableServerException {
    String query =
        "SELECT current_user, r.oid IS NOT NULL, has_table_privilege(r.oid, 'SELECT'),"
            + " has_table_privilege(r.oid, 'UPDATE'), has_table_privilege(r.oid, 'INSERT'),"
            + " has_function_privilege(?, 'EXECUTE'), has_function_privilege(?, 'EXECUTE'),"
            + " has_function_privilege(?, 'EXECUTE'), "
            + (plan.table().schema() == null
                ? "coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)"
                : "coalesce((SELECT has_schema_privilege(n.oid, 'CREATE') FROM pg_namespace n"
                    + " WHERE n.nspname = '"
                    + plan.table().schema()
                    + "'), false)")
            + " FROM (SELECT to_regclass(?)::oid AS oid) r";
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      for (int i = 0; i < FUNCTIONS.size(); i++) {
        statement.setString(i + 1, FUNCTIONS.get(i));
      }
      statement.setString(FUNCTIONS.size() + 1, plan.table().quoted());
      try (ResultSet found = statement.executeQuery()) {
        found.next();
        validate(found, plan, inserting);
      }
    } catch (SQLException e) {
      if (isPermissionDenied(e) && plan.table().schema() != null) {
        throw schemaUsageMissing(plan, e);
      }
      throw e;
    }
  }

  /** USAGE on the schema is missing, so the table could not be looked up. */
  private static UnusableServerException schemaUsageMissing(
      PostgresStorePlan plan, SQLException e) {
    String user = plan.access().user();
    return new UnusableServerException(
        "the role lacks USAGE ON SCHEMA "
            + plan.table().schema()
            + ". Run: GRANT USAGE ON SCHEMA "
            + plan.table().schema()
            + " TO "
            + (user == null ? "the role" : quoted(user))
            + "; ("
            + e.getMessage()
            + ")");
  }

  private static void validate(ResultSet found, PostgresStorePlan plan, boolean inserting)
      throws SQLException, UnusableServerException {
    String role = found.getString(1);
    boolean tableExists = found.getBoolean(2);
    if (!tableExists && !found.getBoolean(9)) {
      throw new UnusableServerException(missingTable(plan, role));
    }
    List<String> remedies = new ArrayList<>();
    List<String> onTable = new ArrayList<>();
    if (tableExists) {
      addUnless(found.getBoolean(3), "SELECT", onTable);
      addUnless(found.getBoolean(4), "UPDATE", onTable);
      addUnless(found.getBoolean(5) || !inserting, "INSERT", onTable);
    }
    if (!onTable.isEmpty()) {
      remedies.add(String.join(", ", onTable) + " ON " + plan.table());
    }
    for (int i = 0; i < FUNCTIONS.size(); i++) {
      addUnless(found.getBoolean(6 + i), "EXECUTE ON FUNCTION " + FUNCTIONS.get(i), remedies);
    }
    if (!remedies.isEmpty()) {
      throw new UnusableServerException(
          "role "
              + role
              + " lacks "
              + String.join("; ", remedies)
              + ". Run: "
              + remedies.stream()
                  .map(right -> "GRANT " + right + " TO " + quoted(role) + ";")
                  .reduce((one, other) -> one + " " + other)
                  .orElseThrow());
    }
  }

  private static void addUnless(boolean has, String right, List<String> missing) {
    if (!has) {
      missing.add(right);
    }
  }

  /** Returns the message for a missing table, with the statements to run. */
  static String missingTable(PostgresStorePlan plan, String role) {
    return "there is no table "
        + plan.table()
        + ", and role "
        + role
        + " may not create it. Run: "
        + (plan.table().schema() == null
            ? ""
            : "CREATE SCHEMA IF NOT EXISTS " + plan.table().schema() + "; ")
        + LeaseSql.definition(plan.table())
        + "; GRANT SELECT, INSERT, UPDATE ON "
        + plan.table()
        + " TO "
        + quoted(role)
        + ";";
  }

  private static String quoted(String role) {
    return TableName.isPlain(role) ? role : '"' + role.replace("\"", "\"\"") + '"';
  }
}
