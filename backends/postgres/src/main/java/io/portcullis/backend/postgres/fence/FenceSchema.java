package io.portcullis.backend.postgres.fence;

import io.portcullis.backend.postgres.fence.FenceTable.Function;
import io.portcullis.backend.postgres.jdbc.TableName;
import io.portcullis.backend.postgres.jdbc.UnusableServerException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Validates the fence's table and functions, and creates missing ones if the role may. Otherwise an
 * exception names what is missing and the remedy. Existing objects are never changed.
 */
final class FenceSchema {
  private static final String NOT_PERMITTED = "42501";

  private static final String TABLE_QUERY =
      "SELECT pg_catalog.pg_is_in_recovery(), current_user,"
          + " coalesce(n.nspname, ?, pg_catalog.current_schema(), 'public'), c.oid IS NOT NULL,"
          + " c.relkind, c.relpersistence, c.relrowsecurity,"
          + " pg_catalog.has_table_privilege(c.oid, 'SELECT'),"
          + " pg_catalog.has_table_privilege(c.oid, 'INSERT'),"
          + " pg_catalog.has_table_privilege(c.oid, 'UPDATE'), m.amname"
          + " FROM (SELECT pg_catalog.to_regclass(?)::pg_catalog.oid AS oid) r"
          + " LEFT JOIN pg_catalog.pg_class c ON c.oid OPERATOR(pg_catalog.=) r.oid"
          + " LEFT JOIN pg_catalog.pg_am m ON m.oid OPERATOR(pg_catalog.=) c.relam"
          + " LEFT JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace";

  /** An owner can replace the function at any time, so it must be a trusted role. */
  private static final String FUNCTION_QUERY =
      "SELECT p.oid IS NOT NULL, p.prosrc, p.prosecdef, p.provolatile, p.proconfig IS NULL,"
          + " pg_catalog.has_table_privilege(p.proowner, c.oid, 'SELECT'),"
          + " pg_catalog.pg_get_userbyid(p.proowner),"
          + " p.proowner OPERATOR(pg_catalog.=) c.relowner OR o.rolsuper"
          + " OR o.rolname OPERATOR(pg_catalog.=) current_user,"
          + " pg_catalog.pg_get_userbyid(c.relowner)"
          + " FROM (SELECT pg_catalog.to_regprocedure(?)::pg_catalog.oid AS oid,"
          + " pg_catalog.to_regclass(?)::pg_catalog.oid AS tab) r"
          + " LEFT JOIN pg_catalog.pg_proc p ON p.oid OPERATOR(pg_catalog.=) r.oid"
          + " LEFT JOIN pg_catalog.pg_roles o ON o.oid OPERATOR(pg_catalog.=) p.proowner"
          + " LEFT JOIN pg_catalog.pg_class c ON c.oid OPERATOR(pg_catalog.=) r.tab";

  private static final String OVERLOAD_QUERY =
      "SELECT p.oid::pg_catalog.regprocedure::pg_catalog.text,"
          + " pg_catalog.pg_get_userbyid(p.proowner)"
          + " FROM pg_catalog.pg_proc p"
          + " JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) p.pronamespace"
          + " WHERE n.nspname OPERATOR(pg_catalog.=) ?::pg_catalog.name"
          + " AND p.proname OPERATOR(pg_catalog.=) ?::pg_catalog.name AND p.oid"
          + " OPERATOR(pg_catalog.<>) coalesce(pg_catalog.to_regprocedure(?)::pg_catalog.oid,"
          + " '0'::pg_catalog.oid)";

  /**
   * Whether the schema exists, and whether another schema on the search path has a table of that
   * name.
   */
  private static final String SCHEMA_QUERY =
      "SELECT pg_catalog.to_regnamespace(?) IS NOT NULL, n.nspname"
          + " FROM (SELECT pg_catalog.to_regclass(?)::pg_catalog.oid AS oid) r"
          + " LEFT JOIN pg_catalog.pg_class c ON c.oid OPERATOR(pg_catalog.=) r.oid"
          + " LEFT JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace";

  private final TableName name;

  FenceSchema(TableName name) {
    this.name = name;
  }

  /** Returns the fence's table after all objects were validated or created. */
  FenceTable prepare(Connection connection) throws SQLException, UnusableServerException {
    try {
      if (!isComplete(connection)) {
        create(connection);
        if (!isComplete(connection)) { // Also validates objects that existed before.
          throw new UnusableServerException(
              "table " + name + " was dropped while it was being set up");
        }
      }
      return table(connection);
    } catch (SQLException e) {
      if (NOT_PERMITTED.equals(e.getSQLState()) && name.schema() != null) {
        throw new UnusableServerException(
            "the role lacks USAGE ON SCHEMA "
                + name.schema()
                + ". Run: GRANT USAGE ON SCHEMA "
                + name.schema()
                + " TO the fence's role; ("
                + e.getMessage()
                + ")");
      }
      throw e;
    }
  }

  /** Result of the search for the table. */
  private record TableLookup(String role, FenceTable table, boolean exists) {}

  private boolean isComplete(Connection connection) throws SQLException, UnusableServerException {
    TableLookup found = find(connection);
    return found.exists() && missing(connection, found.table()).isEmpty();
  }

  private FenceTable table(Connection connection) throws SQLException, UnusableServerException {
    return find(connection).table();
  }

  private TableLookup find(Connection connection) throws SQLException, UnusableServerException {
    TableLookup found = findTable(connection);
    if (found.exists()) {
      FenceTableTrustCheck.check(connection, found.table(), found.role());
    }
    return found;
  }

  private TableLookup findTable(Connection connection)
      throws SQLException, UnusableServerException {
    try (PreparedStatement statement = connection.prepareStatement(TABLE_QUERY)) {
      statement.setString(1, name.schema());
      statement.setString(2, name.quoted());
      try (ResultSet found = statement.executeQuery()) {
        found.next();
        if (found.getBoolean(1)) {
          throw new UnusableServerException.InRecoveryException();
        }
        String role = found.getString(2);
        FenceTable table = new FenceTable(found.getString(3), name.table());
        boolean exists = found.getBoolean(4);
        if (exists) {
          validate(found, table, role);
        }
        return new TableLookup(role, table, exists);
      }
    }
  }

  private static void validate(ResultSet found, FenceTable table, String role)
      throws SQLException, UnusableServerException {
    if (!found.getString(5).equals("r")) {
      throw new UnusableServerException(
          table + " is not an ordinary table; name another in the fence's table");
    }
    if (!"heap".equals(found.getString(11))) {
      throw new UnusableServerException(
          "table "
              + table
              + " has the access method "
              + found.getString(11)
              + ", and the fence needs heap. Drop the table; it is created again");
    }
    if (!found.getString(6).equals("p")) {
      throw new UnusableServerException(
          "table "
              + table
              + " is not logged: a crash would empty it, and let older epochs write. Run: ALTER"
              + " TABLE "
              + table
              + " SET LOGGED;");
    }
    if (found.getBoolean(7)) {
      throw new UnusableServerException(
          "table "
              + table
              + " has row-level security, which may hide the fence. Run: ALTER TABLE "
              + table
              + " DISABLE ROW LEVEL SECURITY;");
    }
    List<String> missing = new ArrayList<>();
    List<String> rights = List.of("SELECT", "INSERT", "UPDATE");
    for (int i = 0; i < rights.size(); i++) {
      if (!found.getBoolean(8 + i)) {
        missing.add(rights.get(i));
      }
    }
    if (!missing.isEmpty()) {
      String what = String.join(", ", missing) + " ON " + table;
      throw new UnusableServerException(
          "role " + role + " lacks " + what + ". Run: GRANT " + what + " TO " + quoted(role) + ";");
    }
  }

  /** Returns the missing functions; throws if an existing function is different. */
  private static List<Function> missing(Connection connection, FenceTable table)
      throws SQLException, UnusableServerException {
    List<Function> missing = new ArrayList<>();
    for (Function function : table.allFunctions()) {
      refuseOverloads(connection, function, table);
      try (PreparedStatement statement = connection.prepareStatement(FUNCTION_QUERY)) {
        statement.setString(1, function.signature());
        statement.setString(2, table.quoted());
        try (ResultSet found = statement.executeQuery()) {
          found.next();
          if (found.getBoolean(1)) {
            validate(found, function, table);
          } else {
            missing.add(function);
          }
        }
      }
    }
    return missing;
  }

  /**
   * Refuses overloads of the functions. Calls cast to the exact types, so an overload is never
   * called, but it is unlikely to have been created by accident.
   */
  private static void refuseOverloads(Connection connection, Function function, FenceTable table)
      throws SQLException, UnusableServerException {
    try (PreparedStatement statement = connection.prepareStatement(OVERLOAD_QUERY)) {
      statement.setString(1, table.schema());
      statement.setString(2, function.bareName());
      statement.setString(3, function.signature());
      try (ResultSet found = statement.executeQuery()) {
        if (found.next()) {
          String overload = found.getString(1);
          throw new UnusableServerException(
              "role "
                  + found.getString(2)
                  + " created "
                  + overload
                  + ", which overloads a function of the fence. Find out why, then run: DROP"
                  + " ROUTINE "
                  + overload
                  + ";");
        }
      }
    }
  }

  private static void validate(ResultSet found, Function function, FenceTable table)
      throws SQLException, UnusableServerException {
    boolean same =
        words(found.getString(2)).equals(words(function.body()))
            && found.getBoolean(3)
            && found.getString(4).equals("v")
            && found.getBoolean(5);
    if (!same) {
      throw new UnusableServerException(
          "function "
              + function.signature()
              + " differs from the required definition. "
              + FenceDdl.REMEDY);
    }
    if (!found.getBoolean(8)) {
      throw new UnusableServerException(
          "function "
              + function.signature()
              + " belongs to role "
              + found.getString(7)
              + ", which could replace it. Run: ALTER FUNCTION "
              + function.signature()
              + " OWNER TO "
              + quoted(found.getString(9))
              + ";");
    }
    if (!found.getBoolean(6)) {
      String owner = quoted(found.getString(7));
      throw new UnusableServerException(
          "function "
              + function.signature()
              + " runs as its owner, who lacks rights. Run: GRANT SELECT ON "
              + table
              + " TO "
              + owner
              + ";");
    }
  }

  private static String words(String text) {
    return text.strip().replaceAll("\\s+", " ");
  }

  private void create(Connection connection) throws SQLException, UnusableServerException {
    connection.setAutoCommit(false);
    execute(connection, "SET TRANSACTION ISOLATION LEVEL READ COMMITTED READ WRITE");
    // Serializes the creation: a second node finds the existing objects.
    execute(
        connection,
        "SELECT pg_catalog.pg_advisory_xact_lock("
            + "pg_catalog.hashtextextended('portcullis_fence_made:"
            + name
            + "', 0))");
    TableLookup found = find(connection);
    List<String> statements = new ArrayList<>();
    if (!found.exists()) {
      statements.addAll(schemaDefinition(connection));
      statements.add(found.table().tableDefinition());
    }
    List<Function> functions =
        found.exists() ? missing(connection, found.table()) : found.table().allFunctions();
    statements.addAll(found.table().definitions(functions));
    try {
      for (String statement : statements) {
        execute(connection, statement);
      }
      connection.commit();
      connection.setAutoCommit(true);
    } catch (SQLException e) {
      if (List.of(NOT_PERMITTED, "3F000").contains(String.valueOf(e.getSQLState()))) {
        throw new UnusableServerException(remedy(found, String.valueOf(e.getMessage())));
      }
      throw e;
    }
  }

  /** The statements that create the schema; none if it exists. */
  private List<String> schemaDefinition(Connection connection)
      throws SQLException, UnusableServerException {
    String schema = name.schema();
    if (schema == null) {
      return List.of();
    }
    try (PreparedStatement statement = connection.prepareStatement(SCHEMA_QUERY)) {
      statement.setString(1, TableName.quoted(schema));
      statement.setString(2, TableName.quoted(name.table()));
      try (ResultSet found = statement.executeQuery()) {
        found.next();
        String other = found.getString(2);
        if (other != null && schema.equals(FenceDdl.OWN_SCHEMA)) {
          // This fence would not stop nodes that use the other table.
          throw new UnusableServerException(
              "table "
                  + new TableName(other, name.table())
                  + " may be the fence of other nodes. Write table = "
                  + new TableName(other, name.table())
                  + " in the fence; or stop all nodes and drop it");
        }
        return found.getBoolean(1) ? List.of() : FenceDdl.schemaDefinition(schema);
      }
    }
  }

  private String remedy(TableLookup found, String message) {
    FenceTable table = found.table();
    boolean elsewhere = name.schema() == null && !table.schema().equals(FenceDdl.DEFAULT_SCHEMA);
    return (found.exists()
            ? "functions of table " + table + " are missing"
            : "there is no table " + table)
        + ", and role "
        + found.role()
        + " may not create "
        + (found.exists() ? "them" : "it")
        + " ("
        + message.lines().findFirst().orElse("")
        + "). "
        + (elsewhere ? "Write table = " + table + " in the fence. " : "")
        + FenceDdl.REMEDY;
  }

  static String quoted(String role) {
    return TableName.isPlain(role) ? role : '"' + role.replace("\"", "\"\"") + '"';
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
