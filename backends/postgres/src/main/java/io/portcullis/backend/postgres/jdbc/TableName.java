package io.portcullis.backend.postgres.jdbc;

import io.portcullis.election.backend.Settings;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name of the table, perhaps in a schema; without one it is found by the role's search path.
 *
 * @param schema the schema, if one was named
 * @param table the table
 */
public record TableName(@Nullable String schema, String table) {
  private static final String NAME = "[a-z_][a-z0-9_]{0,62}";
  private static final Pattern FORM = Pattern.compile("(?:(" + NAME + ")\\.)?(" + NAME + ")");

  /** The name, or {@link IllegalArgumentException} with a sentence. */
  public static TableName parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' is no name of a table: it must be lower-case letters, digits and underscores, at"
              + " most 63 and no digit first, perhaps with one schema before a dot, such as"
              + " ops.portcullis.");
    }
    return new TableName(form.group(1), form.group(2));
  }

  /** Reads {@code table}; null if it was refused. */
  public static @Nullable TableName read(Settings settings) {
    try {
      return parse(settings.text("table"));
    } catch (IllegalArgumentException e) {
      settings.refuse("table", String.valueOf(e.getMessage()));
      return null;
    }
  }

  /** Whether a text can be the name of a channel. */
  public static boolean isPlain(String text) {
    return text.matches(NAME);
  }

  /** As it stands in a statement. It needs no quotes, but might be a reserved word. */
  public String quoted() {
    return (schema == null ? "" : quoted(schema) + ".") + quoted(table);
  }

  /** The same of a name that is a part of one. */
  public static String quoted(String part) {
    return '"' + part + '"';
  }

  /** For people. */
  @Override
  public String toString() {
    return schema == null ? table : schema + "." + table;
  }
}
