package io.portcullis.backend.postgres.fence;

import io.portcullis.backend.postgres.fence.FenceTable.Function;
import io.portcullis.backend.postgres.line.Refused;
import io.portcullis.backend.postgres.line.TableName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the fence's table and functions, and makes what is missing if the role may; else says in a
 * sentence what is missing and what helps. What is there and not as it has to be is never changed.
 */
final class FenceGround {
  private static final String NOT_PERMITTED = "42501";

  private static final String QUESTION =
      "SELECT pg_is_in_recovery(), current_user,"
          + " coalesce(n.nspname, ?, current_schema(), 'public'), c.oid IS NOT NULL, c.relkind,"
          + " c.relpersistence, c.relrowsecurity, has_table_privilege(c.oid, 'SELECT'),"
          + " has_table_privilege(c.oid, 'INSERT'), has_table_privilege(c.oid, 'UPDATE')"
          + " FROM (SELECT to_regclass(?)::oid AS oid) r LEFT JOIN pg_class c ON c.oid = r.oid"
          + " LEFT JOIN pg_namespace n ON n.oid = c.relnamespace";

  private static final String FUNCTION_QUESTION =
      "SELECT p.oid IS NOT NULL, p.prosrc, p.prosecdef, p.provolatile, p.proconfig IS NULL,"
          + " has_table_privilege(p.proowner, to_regclass(?)::oid, 'SELECT')"
          + " AND has_table_privilege(p.proowner, to_regclass(?)::oid, 'UPDATE'),"
          + " pg_get_userbyid(p.proowner)"
          + " FROM (SELECT to_regprocedure(?)::oid AS oid) r LEFT JOIN pg_proc p ON p.oid = r.oid";

  private final TableName name;

  FenceGround(TableName name) {
    this.name = name;
  }

  /** The fence's table and functions, all of them as they have to be. */
  FenceTable prepare(Connection connection) throws SQLException, Refused {
    try {
      if (!isComplete(connection)) {
        make(connection);
      }
      return table(connection);
    } catch (SQLException e) {
      if (NOT_PERMITTED.equals(e.getSQLState()) && name.schema() != null) {
        throw new Refused(
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

  /** What was found of the table. */
  private record Found(String role, FenceTable table, boolean exists) {}

  private boolean isComplete(Connection connection) throws SQLException, Refused {
    Found found = find(connection);
    return found.exists() && missing(connection, found.table()).isEmpty();
  }

  private FenceTable table(Connection connection) throws SQLException, Refused {
    return find(connection).table();
  }

  private Found find(Connection connection) throws SQLException, Refused {
    try (PreparedStatement statement = connection.prepareStatement(QUESTION)) {
      statement.setString(1, name.schema());
      statement.setString(2, name.quoted());
      try (ResultSet found = statement.executeQuery()) {
        found.next();
        if (found.getBoolean(1)) {
          throw new Refused("is in recovery: only a primary can be fenced. Name it in the url");
        }
        String role = found.getString(2);
        FenceTable table = new FenceTable(found.getString(3), name.table());
        boolean exists = found.getBoolean(4);
        if (exists) {
          judge(found, table, role);
        }
        return new Found(role, table, exists);
      }
    }
  }

  private static void judge(ResultSet found, FenceTable table, String role)
      throws SQLException, Refused {
    if (!found.getString(5).equals("r")) {
      throw new Refused(table + " is no ordinary table; name another in the fence's table");
    }
    if (!found.getString(6).equals("p")) {
      throw new Refused(
          "table "
              + table
              + " is not logged: a crash would empty it, and let older epochs write. Run: ALTER"
              + " TABLE "
              + table
              + " SET LOGGED;");
    }
    if (found.getBoolean(7)) {
      throw new Refused(
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
      throw new Refused(
          "role " + role + " lacks " + what + ". Run: GRANT " + what + " TO " + quoted(role) + ";");
    }
  }

  /** Those that are not there. One that is there and is another throws. */
  private static List<Function> missing(Connection connection, FenceTable table)
      throws SQLException, Refused {
    List<Function> missing = new ArrayList<>();
    for (Function function : table.allFunctions()) {
      try (PreparedStatement statement = connection.prepareStatement(FUNCTION_QUESTION)) {
        statement.setString(1, table.quoted());
        statement.setString(2, table.quoted());
        statement.setString(3, function.signature());
        try (ResultSet found = statement.executeQuery()) {
          found.next();
          if (found.getBoolean(1)) {
            judge(found, function, table);
          } else {
            missing.add(function);
          }
        }
      }
    }
    return missing;
  }

  private static void judge(ResultSet found, Function function, FenceTable table)
      throws SQLException, Refused {
    boolean same =
        words(found.getString(2)).equals(words(function.body()))
            && found.getBoolean(3)
            && found.getString(4).equals("v")
            && found.getBoolean(5);
    if (!same) {
      throw new Refused(
          "function "
              + function.signature()
              + " is not the one that is needed. "
              + FenceSetUp.REMEDY);
    }
    if (!found.getBoolean(6)) {
      String owner = quoted(found.getString(7));
      throw new Refused(
          "function "
              + function.signature()
              + " runs as its owner, who lacks rights. Run: GRANT SELECT, UPDATE ON "
              + table
              + " TO "
              + owner
              + ";");
    }
  }

  private static String words(String text) {
    return text.strip().replaceAll("\\s+", " ");
  }

  private void make(Connection connection) throws SQLException, Refused {
    connection.setAutoCommit(false);
    execute(connection, "SET TRANSACTION ISOLATION LEVEL READ COMMITTED READ WRITE");
    // One node after the other, and whoever comes second finds it made.
    execute(
        connection,
        "SELECT pg_advisory_xact_lock(hashtextextended('portcullis_fence_made:" + name + "', 0))");
    Found found = find(connection);
    List<String> statements = new ArrayList<>();
    if (!found.exists()) {
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
        throw new Refused(remedy(found, String.valueOf(e.getMessage())));
      }
      throw e;
    }
  }

  private String remedy(Found found, String said) {
    FenceTable table = found.table();
    boolean elsewhere = name.schema() == null && !table.schema().equals(FenceSetUp.USUAL_SCHEMA);
    return (found.exists()
            ? "functions beside table " + table + " are missing"
            : "there is no table " + table)
        + ", and role "
        + found.role()
        + " may not create "
        + (found.exists() ? "them" : "it")
        + " ("
        + said.lines().findFirst().orElse("")
        + "). "
        + (elsewhere ? "Write table = " + table + " in the fence. " : "")
        + FenceSetUp.REMEDY;
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
