package io.portcullis.backend.postgres.fence;

import io.portcullis.backend.postgres.jdbc.PostgresAccess;
import io.portcullis.backend.postgres.jdbc.TableName;
import java.util.ArrayList;
import java.util.List;

/**
 * SQL statements with which an administrator creates the fence's table and functions if the fence's
 * role may not. They are idempotent: correct existing objects are not changed.
 */
final class FenceDdl {
  /** Schema of a table without a schema, unless the search path has another. */
  static final String DEFAULT_SCHEMA = "public";

  /** Schema of the default table; used for nothing else. */
  static final String OWN_SCHEMA = "portcullis";

  /** Refers to the command, because the statements are too long for a log line. */
  static final String REMEDY =
      "Have an administrator run what 'java -jar portcullis-agent.jar fence-sql agent.conf' prints;"
          + " see Set-up in docs/fencing.md";

  private FenceDdl() {}

  static List<String> statements(TableName name, PostgresAccess access) {
    String schema = name.schema() == null ? DEFAULT_SCHEMA : name.schema();
    FenceTable table = new FenceTable(schema, name.table());
    String role = FenceSchema.quoted(access.role());
    List<String> statements = new ArrayList<>();
    if (!schema.equals(DEFAULT_SCHEMA)) {
      for (String definition : schemaDefinition(schema)) {
        statements.add(idempotent(definition, "CREATE SCHEMA", "IF NOT EXISTS"));
      }
    }
    statements.add(idempotent(table.tableDefinition(), "CREATE TABLE", "IF NOT EXISTS"));
    for (String definition : table.definitions(table.allFunctions())) {
      statements.add(idempotent(definition, "CREATE", "OR REPLACE"));
    }
    statements.add("GRANT SELECT, INSERT, UPDATE ON " + table.quoted() + " TO " + role);
    statements.add("GRANT pg_signal_backend TO " + role);
    return statements;
  }

  /** Creates a schema whose functions every role may use and in which only the owner may create. */
  static List<String> schemaDefinition(String schema) {
    return List.of(
        "CREATE SCHEMA " + TableName.quoted(schema),
        "GRANT USAGE ON SCHEMA " + TableName.quoted(schema) + " TO PUBLIC");
  }

  private static String idempotent(String statement, String begin, String condition) {
    return statement.startsWith(begin)
        ? begin + " " + condition + statement.substring(begin.length())
        : statement;
  }
}
