package io.portcullis.it.support;

import io.portcullis.servers.PostgresServer;
import java.time.Duration;

/**
 * Checks the table of an election on Postgres: a trigger records every change of the row in order.
 * A lease that changes hands must have been released before, or its record unchanged for its full
 * length, and its epoch must rise.
 */
public final class LeaseRowCheck {
  /** Maximum difference between the clocks of a database and its clients within a lease. */
  private static final double DRIFT = 0.02;

  private final PostgresServer postgres;
  private final String table;

  private LeaseRowCheck(PostgresServer postgres, String table) {
    this.postgres = postgres;
    this.table = table;
  }

  /** Observes an existing table from now on. */
  public static LeaseRowCheck over(PostgresServer postgres, String table) {
    postgres.execute(
        """
        CREATE TABLE %1$s_seen (
          n bigserial, at timestamptz, epoch_was bigint, epoch bigint, was_released boolean);
        CREATE FUNCTION %1$s_note() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN
            INSERT INTO public.%1$s_seen (at, epoch_was, epoch, was_released) VALUES
              (pg_catalog.clock_timestamp(), OLD.epoch, NEW.epoch, OLD.released);
            RETURN NULL;
          END $$;
        CREATE TRIGGER note AFTER UPDATE ON %1$s FOR EACH ROW EXECUTE FUNCTION %1$s_note();
        """
            .formatted(table));
    return new LeaseRowCheck(postgres, table);
  }

  /** Number of takeovers. */
  public long takeovers() {
    return Long.parseLong(
        postgres.query("SELECT count(*) FROM " + table + "_seen WHERE epoch <> epoch_was"));
  }

  /**
   * Takeovers that were too early, or under an epoch that did not rise; empty if there are none.
   */
  public String violations(Duration lease) {
    return postgres.query(
        """
        SELECT string_agg(s::text, '; ') FROM
          (SELECT *, at - lag(at) OVER (ORDER BY n) AS quiet FROM %s_seen) s
        WHERE epoch <> epoch_was
          AND (epoch < epoch_was OR NOT was_released AND quiet < '%d milliseconds'::interval)
        """
            .formatted(table, (long) (lease.toMillis() * (1 - DRIFT))));
  }
}
