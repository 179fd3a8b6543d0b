package io.portcullis.backend.postgres.jdbc;

import java.util.Map;
import java.util.stream.Collectors;

/** One statement that sets many settings. */
public final class SettingsStatement {
  private SettingsStatement() {}

  /**
   * The statement. A setting that this version of the server does not have is passed over.
   *
   * @param local whether they hold for the present transaction alone
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
