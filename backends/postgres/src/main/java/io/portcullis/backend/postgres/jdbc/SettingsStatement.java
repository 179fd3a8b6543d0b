package io.portcullis.backend.postgres.jdbc;

import java.util.Map;
import java.util.stream.Collectors;

/** Builds one SQL statement that sets several server settings. */
public final class SettingsStatement {
  private SettingsStatement() {}

  /**
   * Builds the statement. Settings that the server's version does not have are skipped.
   *
   * @param local whether the settings apply to the current transaction only
   */
  public static String of(Map<String, String> values, boolean local) {
    return "SELECT pg_catalog.set_config(s.name, v.value, "
        + local
        + ") FROM (VALUES "
        + values.entrySet().stream()
            .map(each -> "('" + each.getKey() + "', '" + each.getValue() + "')")
            .collect(Collectors.joining(", "))
        + ") v (name, value) JOIN pg_catalog.pg_settings s"
        + " ON s.name OPERATOR(pg_catalog.=) v.name";
  }
}
