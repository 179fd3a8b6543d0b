package io.portcullis.backend.postgres.fence;

import io.portcullis.backend.postgres.jdbc.TableName;
import io.portcullis.election.fence.EpochFence.FenceFunctions;
import java.util.ArrayList;
import java.util.List;

/**
 * Names of the fence's table and functions in a known schema, and the SQL that creates and uses
 * them.
 *
 * <p>The functions run with their owner's rights, so the application's role needs none on the
 * table. Every name, type and operator in them is qualified with its schema, because a caller may
 * set any search path. A {@code SET} clause would have the same effect, but costs time in every
 * call. The number at the end of a function's name changes with its behaviour.
 *
 * <p><b>How a function knows that its row is the newest.</b> The installer changes the row while it
 * holds the advisory lock exclusively. A function first takes the same lock shared, so no
 * installation is in progress while it reads. Under READ COMMITTED the query that follows takes a
 * new snapshot and reads the newest version of the row. Under REPEATABLE READ and SERIALIZABLE the
 * snapshot may be older than the lock, and the query may read a version that was replaced since.
 * But whatever replaces or deletes a version writes its transaction id into the {@code xmax} of
 * that version, in place: no snapshot hides it. So a version whose {@code xmax} is 0 is the newest,
 * under any isolation level and in read-only transactions, and no row lock is needed.
 *
 * <p>The reverse does not hold. Row locks and updates that were rolled back also leave an {@code
 * xmax} behind, and so does {@code INSERT … ON CONFLICT DO UPDATE}. Such a row is refused with a
 * serialization failure under REPEATABLE READ and SERIALIZABLE until it is rewritten ({@link
 * #refreshStatement}). {@code xmax} has this meaning in heap tables only; {@link FenceSchema}
 * refuses others.
 */
record FenceTable(String schema, String table) {
  /** Maximum length of the table's name; the longest suffix of a function is appended to it. */
  static final int MAX_NAME = 63 - "_let_go_2".length();

  private static final String KEY =
      "pg_catalog.hashtextextended('portcullis_fence:' OPERATOR(pg_catalog.||) $1, 0)";

  private static final String XMAX_IS_ZERO = "f.xmax OPERATOR(pg_catalog.=) '0'::pg_catalog.xid";

  /** Whether row {@code f} is the newest, for a function that holds the lock. */
  private static final String IS_NEWEST =
      """
      (%s
              OR pg_catalog.current_setting('transaction_isolation')
                OPERATOR(pg_catalog.=) 'read committed'
              OR pg_catalog.current_setting('transaction_isolation')
                OPERATOR(pg_catalog.=) 'read uncommitted')\
      """
          .formatted(XMAX_IS_ZERO);

  /** Epochs only rise, so a version with a higher epoch proves that the caller is stale. */
  private static final String REFUSE =
      """
        IF $2 OPERATOR(pg_catalog.>) 0 AND found_epoch OPERATOR(pg_catalog.<=) $2
            AND NOT found_newest THEN
          RAISE EXCEPTION 'fence % has changed since the snapshot of this transaction: try again',
              $1 USING ERRCODE = '40001';
        END IF;
        IF $2 OPERATOR(pg_catalog.>) 0
            AND (found_epoch IS NULL OR found_epoch OPERATOR(pg_catalog.<) $2) THEN
          RAISE EXCEPTION 'fence % has epoch % by %, below epoch % of %: it has to be raised',
              $1, found_epoch, found_holder, $2, $3 USING ERRCODE = 'PCF02';
        END IF;
        RAISE EXCEPTION 'fence % has epoch % by %, not at epoch % of %: may not write',
            $1, found_epoch, found_holder, $2, $3 USING ERRCODE = 'PCF01';
      """;

  /**
   * One of the functions.
   *
   * @param bareName name without schema and quotes
   * @param name quoted name for use in SQL
   */
  record Function(String bareName, String name, String arguments, String body) {
    /** The signature in the form of {@code to_regprocedure}. */
    String signature() {
      return name + "(" + arguments.replaceAll("\\w+ ([\\w.]+)", "$1") + ")";
    }

    String definition() {
      return "CREATE FUNCTION "
          + name
          + "("
          + arguments
          + ") RETURNS pg_catalog.void\n  LANGUAGE plpgsql VOLATILE SECURITY DEFINER AS $fence$\n"
          + body
          + "$fence$";
    }
  }

  /** The quoted name for use in SQL. */
  String quoted() {
    return new TableName(schema, table).quoted();
  }

  private String functionName(String suffix) {
    return new TableName(schema, table + suffix).quoted();
  }

  FenceFunctions functions() {
    return new FenceFunctions(
        functionName("_check_2"), functionName("_hold_2"), functionName("_let_go_2"));
  }

  /**
   * The epoch check. It succeeds only through the first query, which uses as few expressions as
   * possible, since each has a cost in every transaction. A statement that may write, but need not,
   * is not checked in a read-only transaction or on a standby, so that it holds no lock and does
   * not delay a takeover.
   */
  Function check() {
    String body =
        """
        DECLARE
          found_epoch pg_catalog.int8;
          found_holder pg_catalog.text;
          found_newest pg_catalog.bool;
        BEGIN
          IF (CASE WHEN $2 OPERATOR(pg_catalog.>) 0
              AND NOT ($4 AND pg_catalog.current_setting('transaction_read_only')
                OPERATOR(pg_catalog.=) 'on')
              THEN pg_catalog.pg_advisory_xact_lock_shared(
                %s) IS NOT NULL
              ELSE false END) THEN
            PERFORM FROM %s f WHERE f.scope OPERATOR(pg_catalog.=) $1
              AND f.epoch OPERATOR(pg_catalog.=) $2 AND f.holder OPERATOR(pg_catalog.=) $3
              AND %s;
            IF FOUND THEN
              RETURN;
            END IF;
          END IF;
          IF $4 THEN
            PERFORM pg_catalog.set_config('transaction_read_only', 'on', true);
            RETURN;
          END IF;
          %s;
        %sEND
        """
            .formatted(KEY, quoted(), IS_NEWEST, selectIntoVariables(), REFUSE);
    return function(
        "_check_2",
        "scope pg_catalog.text, epoch pg_catalog.int8, holder pg_catalog.text,"
            + " maybe pg_catalog.bool",
        body);
  }

  Function hold() {
    String body =
        """
        DECLARE
          found_epoch pg_catalog.int8;
          found_holder pg_catalog.text;
          found_newest pg_catalog.bool;
        BEGIN
          PERFORM pg_catalog.pg_advisory_lock_shared(
              %s);
          BEGIN
            %s;
          EXCEPTION WHEN query_canceled OR assert_failure OR OTHERS THEN
            PERFORM pg_catalog.pg_advisory_unlock_shared(
                %s);
            RAISE;
          END;
          IF $2 OPERATOR(pg_catalog.>) 0 AND found_epoch OPERATOR(pg_catalog.=) $2
              AND found_holder OPERATOR(pg_catalog.=) $3 AND found_newest THEN
            RETURN;
          END IF;
          PERFORM pg_catalog.pg_advisory_unlock_shared(
              %s);
        %sEND
        """
            .formatted(KEY, selectIntoVariables(), KEY, KEY, REFUSE);
    return function(
        "_hold_2", "scope pg_catalog.text, epoch pg_catalog.int8, holder pg_catalog.text", body);
  }

  Function letGo() {
    String body =
        """
        BEGIN
          PERFORM pg_catalog.pg_advisory_unlock_shared(
              %s);
        END
        """
            .formatted(KEY);
    return function("_let_go_2", "scope pg_catalog.text", body);
  }

  private Function function(String suffix, String arguments, String body) {
    return new Function(table + suffix, functionName(suffix), arguments, body);
  }

  private String selectIntoVariables() {
    return "SELECT f.epoch, f.holder, "
        + IS_NEWEST
        + "\n      INTO found_epoch, found_holder, found_newest FROM "
        + quoted()
        + " f WHERE f.scope OPERATOR(pg_catalog.=) $1";
  }

  List<Function> allFunctions() {
    return List.of(check(), hold(), letGo());
  }

  String tableDefinition() {
    return "CREATE TABLE "
        + quoted()
        + " (scope pg_catalog.text PRIMARY KEY, epoch pg_catalog.int8 NOT NULL,"
        + " holder pg_catalog.text NOT NULL, installed pg_catalog.timestamptz NOT NULL) USING heap";
  }

  /** Returns the statements that create these functions and let every role call them. */
  List<String> definitions(List<Function> functions) {
    List<String> statements = new ArrayList<>();
    for (Function function : functions) {
      statements.add(function.definition());
      statements.add("GRANT EXECUTE ON FUNCTION " + function.signature() + " TO PUBLIC");
    }
    return statements;
  }

  /**
   * Reads whether the server is in recovery, the epoch and holder, and whether the row has to be
   * refreshed. Parameter: scope.
   */
  String readStatement() {
    return "SELECT pg_catalog.pg_is_in_recovery(), f.epoch, f.holder, NOT "
        + XMAX_IS_ZERO
        + " FROM (SELECT 1) one LEFT JOIN "
        + quoted()
        + " f ON f.scope OPERATOR(pg_catalog.=) ?";
  }

  /** Takes the exclusive lock. Parameter: scope. */
  String lockStatement() {
    return "SELECT pg_catalog.pg_advisory_xact_lock(" + key("portcullis_fence:") + ")";
  }

  /**
   * Raises the row. Parameters: epoch, holder, scope, epoch. A plain update, which leaves {@code
   * xmax} 0 in the new version; it neither changes nor locks a row whose epoch is as high already.
   */
  String raiseStatement() {
    return "UPDATE "
        + quoted()
        + " AS f SET epoch = ?, holder = ?, installed = pg_catalog.clock_timestamp()"
        + " WHERE f.scope OPERATOR(pg_catalog.=) ? AND f.epoch OPERATOR(pg_catalog.<) ?";
  }

  /** Inserts the row unless it exists. Parameters: scope, epoch, holder. */
  String firstStatement() {
    return "INSERT INTO "
        + quoted()
        + " (scope, epoch, holder, installed) VALUES (?, ?, ?, pg_catalog.clock_timestamp())"
        + " ON CONFLICT (scope) DO NOTHING";
  }

  /**
   * Returns whether the row may be refreshed now: no installation and no other refresh is in
   * progress, and none begins before this transaction ends. Parameters: scope, scope.
   */
  String refreshLockStatement() {
    return "SELECT pg_catalog.pg_try_advisory_xact_lock("
        + key("portcullis_fence_refresh:")
        + ") AND pg_catalog.pg_try_advisory_xact_lock_shared("
        + key("portcullis_fence:")
        + ")";
  }

  /** Rewrites a row whose {@code xmax} is not 0 without changing its values. Parameter: scope. */
  String refreshStatement() {
    return "UPDATE "
        + quoted()
        + " AS f SET installed = f.installed WHERE f.scope OPERATOR(pg_catalog.=) ? AND NOT "
        + XMAX_IS_ZERO;
  }

  private static String key(String prefix) {
    return "pg_catalog.hashtextextended('" + prefix + "' OPERATOR(pg_catalog.||) ?, 0)";
  }

  /** The name without quotes. */
  @Override
  public String toString() {
    return schema + "." + table;
  }
}
