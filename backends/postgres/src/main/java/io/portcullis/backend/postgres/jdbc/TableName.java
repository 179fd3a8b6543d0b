package io.portcullis.backend.postgres.jdbc;

import io.portcullis.election.backend.Settings;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Name of a table, optionally with a schema. Without a schema the role's search path applies.
 *
 * @param schema the schema, null if none is given
 */
public record TableName(@Nullable String schema, String table) {
  private static final String NAME = "[a-z_][a-z0-9_]{0,62}";
  private static final Pattern FORM = Pattern.compile("(?:(" + NAME + ")\\.)?(" + NAME + ")");

  /**
   * Parses a name.
   *
   * @throws IllegalArgumentException if it is invalid
   */
  public static TableName parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' is not a table name: it must be lower-case letters, digits and underscores, at"
              + " most 63 and no digit first, optionally with a schema and a dot before it, such as"
              + " ops.portcullis.");
    }
    return new TableName(form.group(1), form.group(2));
  }

  /** Reads {@code table}; returns null if it is invalid. */
  public static @Nullable TableName read(Settings settings) {
    try {
      return parse(settings.text("table"));
    } catch (IllegalArgumentException e) {
      settings.refuse("table", String.valueOf(e.getMessage()));
      return null;
    }
  }

  /** Whether a string is a plain identifier, as required for a channel name. */
  public static boolean isPlain(String text) {
    return text.matches(NAME);
  }

  /** The name for use in SQL. Quoted, since it may be a reserved word. */
  public String quoted() {
    return (schema == null ? "" : quoted(schema) + ".") + quoted(table);
  }

  /** Quotes one part of a name. */
  public static String quoted(String part) {
    return '"' + part + '"';
  }

  /** The name without quotes. */
  @Override
  public String toString() {
    return schema == null ? table : schema + "." + table;
  }
}
