package io.portcullis.backend.postgres.fence;

import io.portcullis.backend.postgres.jdbc.PostgresAccess;
import io.portcullis.backend.postgres.jdbc.TableName;
import java.util.ArrayList;
import java.util.List;

/**
 * What an administrator runs where the fence's role may not make table and functions itself. All of
 * it may be run again: what is there and right stays as it is.
 */
final class FenceDdl {
  /** Where a table without a schema is made, unless a search path says otherwise. */
  static final String DEFAULT_SCHEMA = "public";

  /** The schema of the default table, which nothing else uses. */
  static final String OWN_SCHEMA = "portcullis";

  /** Short enough for a log: the statements themselves are a page long. */
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
        statements.add(again(definition, "CREATE SCHEMA", "IF NOT EXISTS"));
      }
    }
    statements.add(again(table.tableDefinition(), "CREATE TABLE", "IF NOT EXISTS"));
    for (String definition : table.definitions(table.allFunctions())) {
      statements.add(again(definition, "CREATE", "OR REPLACE"));
    }
    statements.add("GRANT SELECT, INSERT, UPDATE ON " + table.quoted() + " TO " + role);
    statements.add("GRANT pg_signal_backend TO " + role);
    return statements;
  }

  /** Every role may use the functions in it, and only its owner may create objects. */
  static List<String> schemaDefinition(String schema) {
    return List.of(
        "CREATE SCHEMA " + TableName.quoted(schema),
        "GRANT USAGE ON SCHEMA " + TableName.quoted(schema) + " TO PUBLIC");
  }

  private static String again(String statement, String begin, String condition) {
    return statement.startsWith(begin)
        ? begin + " " + condition + statement.substring(begin.length())
        : statement;
  }
}
