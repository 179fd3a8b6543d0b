package io.portcullis.backend.postgres.jdbc;

/** The statement that repairs an epoch, in the table of leases and in that of a fence. */
public final class EpochRepair {
  private EpochRepair() {}

  /**
   * Sets the epoch to the present Unix second. Every epoch that was ever granted lies below that,
   * as long as there was less than one grant a second, so that no earlier holder matches the row
   * again.
   *
   * @param table as it stands in a statement
   */
  public static String statement(String table, String scope) {
    return "UPDATE "
        + table
        + " SET epoch = extract(epoch FROM clock_timestamp())::bigint WHERE scope = '"
        + scope.replace("'", "''")
        + "';";
  }
}
