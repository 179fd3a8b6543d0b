package io.portcullis.backend.postgres.fence;

import io.portcullis.backend.postgres.line.TableName;
import io.portcullis.election.fence.FenceFunctions;
import java.util.ArrayList;
import java.util.List;

/**
 * The fence's table and the functions beside it, in a schema that is known: their names, and the
 * statements that make them.
 *
 * <p>The functions run with their owner's rights, so that the application's role needs none on the
 * table. Every name and operator in them says its schema: whoever calls them may have a search path
 * of their own making. A {@code SET} clause would do the same for the price of one, each time. The
 * number at the end of their names changes with what they do.
 */
record FenceTable(String schema, String table) {
  /** What a name of a table may have beside the ending of the longest function's. */
  static final int LONGEST_NAME = 63 - "_let_go_1".length();

  private static final String KEY =
      "pg_catalog.hashtextextended('portcullis_fence:' OPERATOR(pg_catalog.||) $1, 0)";

  private static final String COMPARE =
      """
        IF $2 OPERATOR(pg_catalog.>) 0 AND found_epoch OPERATOR(pg_catalog.=) $2
            AND found_holder OPERATOR(pg_catalog.=) $3 THEN
          RETURN;
        END IF;
      """;

  private static final String REFUSE =
      """
        IF $2 OPERATOR(pg_catalog.>) 0
            AND (found_epoch IS NULL OR found_epoch OPERATOR(pg_catalog.<) $2) THEN
          RAISE EXCEPTION 'fence % stands at epoch % by %, below epoch % of %: it has to be raised',
              $1, found_epoch, found_holder, $2, $3 USING ERRCODE = 'PCF02';
        END IF;
        RAISE EXCEPTION 'fence % stands at epoch % by %, not at epoch % of %: may not write',
            $1, found_epoch, found_holder, $2, $3 USING ERRCODE = 'PCF01';
      """;

  /** One of the functions. */
  record Function(String name, String arguments, String body) {
    /** As {@code to_regprocedure} reads it. */
    String signature() {
      return name + "(" + arguments.replaceAll("\\w+ (\\w+)", "$1") + ")";
    }

    String definition() {
      return "CREATE FUNCTION "
          + name
          + "("
          + arguments
          + ") RETURNS void\n  LANGUAGE plpgsql VOLATILE SECURITY DEFINER AS $fence$\n"
          + body
          + "$fence$";
    }
  }

  /** In the statements. */
  String quoted() {
    return new TableName(schema, table).quoted();
  }

  private String beside(String ending) {
    return new TableName(schema, table + ending).quoted();
  }

  FenceFunctions functions() {
    return new FenceFunctions(beside("_check_1"), beside("_hold_1"), beside("_let_go_1"));
  }

  /**
   * First the way of nearly all comparisons, with as few expressions as possible, since each costs
   * something anew in every transaction; the row is read by a query of its own, and so by a
   * snapshot that is taken after the lock. Then all the others. A standby's functions that only
   * read are to hold up no takeover, and so lock nothing.
   */
  Function check() {
    String look = look();
    String body =
        """
        DECLARE
          found_epoch pg_catalog.int8;
          found_holder pg_catalog.text;
          isolation pg_catalog.text;
        BEGIN
          IF (CASE WHEN $2 OPERATOR(pg_catalog.>) 0
              AND pg_catalog.current_setting('transaction_isolation')
                OPERATOR(pg_catalog.=) 'read committed'
              THEN pg_catalog.pg_advisory_xact_lock_shared(
                %s) IS NOT NULL
              ELSE false END) THEN
            PERFORM FROM %s f WHERE f.scope OPERATOR(pg_catalog.=) $1
              AND f.epoch OPERATOR(pg_catalog.=) $2 AND f.holder OPERATOR(pg_catalog.=) $3;
            IF FOUND THEN
              RETURN;
            END IF;
          END IF;
          IF $4 AND $2 OPERATOR(pg_catalog.<=) 0 THEN
            PERFORM pg_catalog.set_config('transaction_read_only', 'on', true);
            RETURN;
          END IF;
          isolation := pg_catalog.current_setting('transaction_isolation');
          IF isolation OPERATOR(pg_catalog.=) 'read committed'
              OR isolation OPERATOR(pg_catalog.=) 'read uncommitted' THEN
            PERFORM pg_catalog.pg_advisory_xact_lock_shared(
                %s);
            %s;
          ELSIF pg_catalog.current_setting('transaction_read_only') OPERATOR(pg_catalog.=) 'on' THEN
            %s;
          ELSE
            %s FOR SHARE;
          END IF;
        %s  IF $4 THEN
            PERFORM pg_catalog.set_config('transaction_read_only', 'on', true);
            RETURN;
          END IF;
        %sEND
        """
            .formatted(KEY, quoted(), KEY, look, look, look, COMPARE, REFUSE);
    return new Function(
        beside("_check_1"), "scope text, epoch bigint, holder text, maybe boolean", body);
  }

  /** A snapshot may be older than the lock, so that here too the row itself has to be locked. */
  Function hold() {
    String body =
        """
        DECLARE
          found_epoch pg_catalog.int8;
          found_holder pg_catalog.text;
          isolation pg_catalog.text := pg_catalog.current_setting('transaction_isolation');
        BEGIN
          PERFORM pg_catalog.pg_advisory_lock_shared(
              %s);
          BEGIN
            IF isolation OPERATOR(pg_catalog.=) 'read committed'
                OR isolation OPERATOR(pg_catalog.=) 'read uncommitted' THEN
              %s;
            ELSE
              %s FOR SHARE;
            END IF;
          EXCEPTION WHEN query_canceled OR assert_failure OR OTHERS THEN
            PERFORM pg_catalog.pg_advisory_unlock_shared(
                %s);
            RAISE;
          END;
        %s  PERFORM pg_catalog.pg_advisory_unlock_shared(
              %s);
        %sEND
        """
            .formatted(KEY, look(), look(), KEY, COMPARE, KEY, REFUSE);
    return new Function(beside("_hold_1"), "scope text, epoch bigint, holder text", body);
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
    return new Function(beside("_let_go_1"), "scope text", body);
  }

  private String look() {
    return "SELECT f.epoch, f.holder INTO found_epoch, found_holder FROM "
        + quoted()
        + " f WHERE f.scope OPERATOR(pg_catalog.=) $1";
  }

  List<Function> allFunctions() {
    return List.of(check(), hold(), letGo());
  }

  String tableDefinition() {
    return "CREATE TABLE "
        + quoted()
        + " (scope text PRIMARY KEY, epoch bigint NOT NULL, holder text NOT NULL,"
        + " installed timestamptz NOT NULL)";
  }

  /** What makes these functions, for everybody to call. */
  List<String> definitions(List<Function> functions) {
    List<String> statements = new ArrayList<>();
    for (Function function : functions) {
      statements.add(function.definition());
      statements.add("GRANT EXECUTE ON FUNCTION " + function.signature() + " TO PUBLIC");
    }
    return statements;
  }

  /** What reads the mark, and whether the server takes writes; takes the scope. */
  String readStatement() {
    return "SELECT pg_is_in_recovery(), f.epoch, f.holder"
        + " FROM (SELECT 1) one LEFT JOIN "
        + quoted()
        + " f ON f.scope = ?";
  }

  /** Takes the scope. */
  String lockStatement() {
    return "SELECT pg_advisory_xact_lock(hashtextextended('portcullis_fence:' || ?, 0))";
  }

  /** Takes scope, epoch and holder; locks the row also where it does not raise it. */
  String raiseStatement() {
    return "INSERT INTO "
        + quoted()
        + " AS f (scope, epoch, holder, installed) VALUES (?, ?, ?, clock_timestamp())"
        + " ON CONFLICT (scope) DO UPDATE SET epoch = excluded.epoch, holder = excluded.holder,"
        + " installed = excluded.installed WHERE f.epoch < excluded.epoch";
  }

  /** For people. */
  @Override
  public String toString() {
    return schema + "." + table;
  }
}
