package io.portcullis.gate.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqlClassifierTest {
  private static SqlEffect classify(String text) {
    byte[] bytes = ("?" + text + "?").getBytes(StandardCharsets.UTF_8);
    return SqlClassifier.classify(bytes, 1, bytes.length - 1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " \t\r\n",
        ";;",
        "-- nothing",
        "/* nothing */",
        "/* a /* nested */ comment: INSERT */ SELECT 1",
        "SELECT 1",
        "select\f1\u000b;",
        "((SELECT 1))",
        "(SELECT 1) UNION (SELECT 2)",
        "VALUES (1), (2)",
        "TABLE t",
        "WITH x AS (SELECT 1) SELECT * FROM x",
        "WITH x AS MATERIALIZED (SELECT 1) SELECT * FROM x",
        "SELECT 'it''s; DELETE FROM t'",
        "SELECT 'no \\ escape'",
        "SELECT * FROM t WHERE s LIKE '%\\_%' AND s <> 'x'",
        "SELECT E'an escaped \\' quote; DELETE FROM t'",
        "SELECT E'goes on'\n -- here\n '\\'; DELETE FROM t'",
        "SELECT U&'d\\0061t\\+000061; DELETE'",
        "SELECT $$; DELETE FROM t$$",
        "SELECT $tag$ $$ ; DELETE FROM t $tag$",
        "SELECT $1, $2::int FROM t WHERE a = ANY ($3)",
        "SELECT \"delete\", \"f\" FROM \"update\"",
        "SELECT t.update, x AS delete FROM t",
        "SELECT count(*), max(n) FROM t GROUP BY (a) HAVING sum(n) > 1 ORDER BY (b)",
        "SELECT row_number() OVER (PARTITION BY a ORDER BY b), count(*) FILTER (WHERE n > 1) FROM t",
        "SELECT lower(s), COALESCE(a, (b)), CAST(n AS numeric(10,2)), n::varchar(10) FROM t",
        "SELECT pg_catalog.lower(s) FROM t WHERE n IN (1, 2) AND EXISTS (SELECT 1)",
        "SELECT CURRENT_TIMESTAMP, current_user, now()",
        "SELECT CASE WHEN (a) THEN (b) ELSE (c) END FROM t JOIN u USING (id) LEFT JOIN v ON (a = b)",
        "SELECT 1 FROM t LEFT JOIN (SELECT 1) u ON true JOIN (VALUES (1)) v ON true",
        "SELECT 1 FROM t RIGHT JOIN (SELECT 1) u ON true",
        "SELECT 1 FROM f JOIN (SELECT 1) u ON true INNER JOIN (u JOIN v ON true) ON true",
        "SELECT 1 FROM t WHERE s ILIKE ('%' || $1) OR \"s\" ILIKE ($2) OR lower(s) ILIKE ($3)",
        "SELECT a$b$c FROM t$",
        "SELECT 1e5, 1.5, .5, 0x1F, 1E+5, 1e-5::text, 0b101, 0o17, 1_000, 1e1_0",
        "SELECT a # 3, doc #>> '{a}', doc #- '{b}' FROM t",
        "EXPLAIN SELECT lower(s) FROM t",
        "EXPLAIN INSERT INTO t VALUES (1)",
        "EXPLAIN (COSTS off) DELETE FROM t",
        "SET search_path = x",
        "SET LOCAL lock_timeout = '1s'",
        "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE",
        "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY",
        "SHOW ALL",
        "RESET ALL",
        "LISTEN x",
        "UNLISTEN *",
        "DEALLOCATE ALL; SELECT 1",
        "CLOSE c",
        "SAVEPOINT a",
        "PREPARE p AS INSERT INTO t VALUES (1)",
        "SELECT 1; SELECT 2; SHOW x",
      })
  void readsAreKnown(String text) {
    assertThat(classify(text)).isEqualTo(SqlEffect.READ);
  }

  @ParameterizedTest
  @ValueSource(strings = {"DEALLOCATE ALL", " deallocate prepare p;"})
  void deallocationIsRecognized(String text) {
    assertThat(classify(text)).isEqualTo(SqlEffect.DEALLOCATE);
    assertThat(classify("DISCARD ALL")).isEqualTo(SqlEffect.DISCARD);
    assertThat(classify("DISCARD ALL; INSERT INTO t VALUES (1)")).isEqualTo(SqlEffect.MIXED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT f()",
        "SELECT f /* hidden */ ()",
        "SELECT f\n(1)",
        "SELECT \"f\"()",
        "SELECT \"lower\"(s) FROM t",
        "SELECT app.lower(s) FROM t",
        "SELECT \"pg_catalog\".\"lower\"(s) FROM t",
        "SELECT größe(1)",
        "SELECT a[1:f(2)]",
        "SELECT 1 + f(2)",
        "SELECT DISTINCT ON (a) over(b) FROM t",
        "SELECT DISTINCT ON (a) filter(b) FROM t",
        "SELECT by(1)",
        "SELECT next('x')",
        "SELECT nextval('s')",
        "SELECT setval('s', 1)",
        // The planner executes functions that are declared immutable.
        "EXPLAIN SELECT f()",
        "EXPLAIN SELECT dblink_of_mine()",
        "SELECT explain(1)",
        "SELECT join(1)",
        "SELECT * FROM join(1)",
        "SELECT 1, ilike(a) FROM t",
        "SELECT DISTINCT ON (a) join(b) FROM t",
        "SELECT n FROM t ORDER BY join(n)",
        "SELECT sum(n) OVER (PARTITION BY ilike(n)) FROM t",
        "SELECT n AT TIME ZONE join(n) FROM t",
        "SELECT n FROM t WHERE s LIKE 'a' ESCAPE join(s)",
        "SELECT n BETWEEN ASYMMETRIC join(1) AND 2 FROM t",
        "SELECT set_config('a', 'b', false)",
        "SELECT pg_advisory_lock(1)",
        "SELECT * FROM f(1) AS g(a, b)",
        "WITH x(a) AS (SELECT 1) SELECT * FROM x",
        "DECLARE c CURSOR FOR SELECT 1",
        "FETCH ALL IN c",
        "MOVE 1 FROM c",
        "COPY t TO STDOUT",
        "COPY (SELECT * FROM t) TO STDOUT (FORMAT csv)",
        "SELECT 1; SELECT f()",
      })
  void statementsThatMayWriteAreRecognized(String text) {
    assertThat(classify(text)).isEqualTo(SqlEffect.MAY_WRITE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO t VALUES (1)",
        "/* hi */ insert into t select 1",
        "(((DELETE FROM t)))",
        "UPDATE t SET n = 1",
        "MERGE INTO t USING u ON true WHEN MATCHED THEN DELETE",
        "WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x",
        "WITH x AS (SELECT 1) DELETE FROM t",
        "SELECT * INTO u FROM t",
        // Up to Postgres 14 a number ends where a word begins.
        "SELECT 1e5into u FROM t",
        "SELECT 1E-5into u FROM t",
        "SELECT 1.e5into u FROM t",
        "SELECT 1into u FROM t",
        "SELECT 1.into u FROM t",
        "SELECT .5e5into u FROM t",
        "SELECT 0x1Finto u FROM t",
        "SELECT 1_0into u FROM t",
        "SELECT 1efrom t",
        "EXPLAIN SELECT 1e5analyze",
        "SELECT * FROM t FOR UPDATE",
        "SELECT * FROM t FOR NO KEY UPDATE",
        "SELECT * FROM t FOR SHARE",
        "SELECT * FROM t FOR KEY SHARE",
        "DECLARE c CURSOR FOR SELECT * FROM t FOR UPDATE",
        "EXPLAIN ANALYZE SELECT 1",
        "explain analyse select 1",
        "EXPLAIN (VERBOSE, ANALYZE true) DELETE FROM t",
        "EXPLAIN (\"analyze\") DELETE FROM t",
        "EXPLAIN (U&\"\\0061nalyze\") DELETE FROM t",
        "COPY t FROM STDIN",
        "COPY t TO '/tmp/x'",
        "COPY t TO PROGRAM 'x'",
        "COPY (DELETE FROM t RETURNING *) TO STDOUT",
        "COPY stdout FROM STDIN",
        "COPY \"to stdout\" FROM STDIN",
        "TRUNCATE t",
        "CREATE TABLE x ()",
        "CREATE TABLE x AS SELECT 1",
        "ALTER TABLE t ADD c int",
        "DROP TABLE t",
        "GRANT SELECT ON t TO u",
        "LOCK TABLE t",
        "NOTIFY x",
        "EXECUTE p",
        "REFRESH MATERIALIZED VIEW v",
        "SET CONSTRAINTS ALL IMMEDIATE",
        "SELECT dblink('x', 'y')",
        "SELECT dblink_exec('x', 'y')",
        "SELECT \"dblink_exec\"('x', 'y')",
        "DECLARE c CURSOR FOR SELECT lo_unlink(1)",
        "COPY (SELECT lo_unlink(1)) TO STDOUT",
        "SELECT pg_catalog.lo_create(0)",
        "SELECT U&\"lo\\005funlink\"(1)",
        "SELECT 1; DELETE FROM t",
        "SELECT 1;;; INSERT INTO t VALUES (1);",
        "SELECT 1; CALL p()",
        "VACUUM; VACUUM",
        // They end inside a token.
        "SELECT 'a",
        "SELECT $a$ x $b$",
        "SELECT /* /* */",
        "SELECT \"a",
      })
  void writesAreKnown(String text) {
    assertThat(classify(text)).isEqualTo(SqlEffect.WRITE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "lo_create",
        "lo_creat",
        "lo_from_bytea",
        "lo_import",
        "lo_export",
        "lo_put",
        "lo_unlink",
        "lo_open",
        "lo_truncate",
        "lo_truncate64",
        "lowrite",
        "lo_manage",
        "pg_file_write",
        "pg_file_rename",
        "pg_file_unlink",
        "pg_file_sync",
        "query_to_xml",
        "query_to_xmlschema",
        "query_to_xml_and_xmlschema",
        "ts_stat",
        "ts_rewrite",
        "crosstab",
        "crosstab2",
        "crosstabN",
        "connectby",
        "xpath_table",
        "pg_import_system_collations",
        "pg_sync_replication_slots",
        "heap_force_kill",
        "heap_force_freeze",
        "pg_notify",
        "pg_logical_emit_message",
        "pg_create_logical_replication_slot",
        "pg_create_physical_replication_slot",
        "pg_copy_logical_replication_slot",
        "pg_copy_physical_replication_slot",
        "pg_drop_replication_slot",
        "pg_replication_slot_advance",
        "pg_logical_slot_get_changes",
        "pg_logical_slot_get_binary_changes",
        "pg_replication_origin_create",
        "pg_replication_origin_drop",
        "pg_replication_origin_advance",
        "pg_restore_relation_stats",
        "pg_clear_relation_stats",
        "pg_restore_attribute_stats",
        "pg_clear_attribute_stats",
      })
  void functionsThatNoReadOnlyTransactionHoldsBackAreWrites(String function) {
    assertThat(classify("SELECT " + function + "(1)")).isEqualTo(SqlEffect.WRITE);
    assertThat(classify("SELECT * FROM pg_catalog." + function + "(1)")).isEqualTo(SqlEffect.WRITE);
    assertThat(classify("SELECT \"" + function + "\"(1)")).isEqualTo(SqlEffect.WRITE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "BEGIN",
        "begin work",
        "BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY",
        "START TRANSACTION",
        "BEGIN; SELECT 1",
      })
  void transactionStartsAreRecognized(String text) {
    assertThat(classify(text)).isEqualTo(SqlEffect.BEGIN);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "COMMIT",
        " /**/commit--",
        "COMMIT WORK",
        "COMMIT AND CHAIN",
        "END",
        "END TRANSACTION",
        "ROLLBACK",
        "ABORT",
        "ROLLBACK TO a",
        "ROLLBACK TO SAVEPOINT a",
        "ROLLBACK AND CHAIN",
        "RELEASE SAVEPOINT a",
        "SELECT 1; RELEASE a; SELECT 2",
        "ROLLBACK PREPARED 'x'",
        "DISCARD ALL; SELECT 1",
        "COMMIT; BEGIN",
        "SELECT 1; COMMIT; SELECT 2",
      })
  void transactionEndsAreRecognized(String text) {
    assertThat(classify(text)).isEqualTo(SqlEffect.END);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CALL p()",
        "DO $$BEGIN COMMIT; END$$",
        "VACUUM",
        "ANALYZE",
        "CLUSTER",
        "REINDEX TABLE t",
        "CREATE INDEX CONCURRENTLY i ON t (n)",
        "DROP INDEX CONCURRENTLY i",
        "REFRESH MATERIALIZED VIEW CONCURRENTLY v",
        "CREATE DATABASE x",
        "DROP DATABASE x",
        "ALTER DATABASE x SET TABLESPACE y",
        "ALTER SYSTEM SET x = 1",
        "CREATE TABLESPACE x LOCATION 'y'",
        "CREATE SUBSCRIPTION s CONNECTION 'x' PUBLICATION y",
        "ALTER TYPE e ADD VALUE 'x'",
        "CHECKPOINT",
        "SOMETHING NEW",
        "\"select\" 1",
        "START_REPLICATION SLOT x",
        "1",
        "$$x$$",
      })
  void possibleCommitInsideIsRecognized(String text) {
    assertThat(classify(text)).isEqualTo(SqlEffect.OUTSIDE_TRANSACTION);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PREPARE TRANSACTION 'x'",
        "prepare/**/transaction 'x'",
        "COMMIT PREPARED 'x'",
        "END PREPARED 'x'",
        "INSERT INTO t VALUES (1); PREPARE TRANSACTION 'x'",
      })
  void twoPhaseCommitIsRecognized(String text) {
    assertThat(classify(text)).isEqualTo(SqlEffect.TWO_PHASE);
    assertThat(classify(text).isRefused()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "BEGIN; INSERT INTO t VALUES (1); COMMIT",
        "COMMIT; INSERT INTO t VALUES (1)",
        "COMMIT;SELECT f()",
        "SELECT f(); RELEASE a; SELECT f()",
        "INSERT INTO t VALUES (1); ROLLBACK TO a; INSERT INTO t VALUES (2)",
        "COMMIT; CALL p()",
        // In one of the two readings the literal ends at the backslash.
        "SELECT '\\'; COMMIT; INSERT INTO t VALUES (1); --'",
      })
  void possibleWriteAfterATransactionEndIsRefused(String text) {
    assertThat(classify(text)).isEqualTo(SqlEffect.MIXED);
    assertThat(classify(text).isRefused()).isTrue();
  }

  @Test
  void possibleWriteBeforeATransactionEndNeedsOnlyACheck() {
    assertThat(classify("INSERT INTO t VALUES (1); COMMIT")).isEqualTo(SqlEffect.WRITE_THEN_END);
    assertThat(classify("SELECT f(); COMMIT")).isEqualTo(SqlEffect.MAY_WRITE_THEN_END);
    assertThat(classify("INSERT INTO t VALUES (1); BEGIN")).isEqualTo(SqlEffect.WRITE_THEN_END);
    assertThat(classify("CREATE FUNCTION f() RETURNS int BEGIN ATOMIC INSERT INTO t SELECT 1; END"))
        .isEqualTo(SqlEffect.WRITE_THEN_END);
  }

  @Test
  void ambiguousSqlGetsTheStricterResult() {
    assertThat(classify("SELECT '\\'; DELETE FROM t; --'")).isEqualTo(SqlEffect.WRITE);
    assertThat(classify("SELECT '\\', f(), ''")).isEqualTo(SqlEffect.MAY_WRITE);
    assertThat(classify("SELECT '\\'' || f() || '\\''")).isEqualTo(SqlEffect.MAY_WRITE);
  }

  @Test
  void hugeSqlIsClassifiedLikeShortSql() {
    String values = "(1, 'x'), ".repeat(200_000);

    assertThat(classify("INSERT INTO t VALUES " + values + "(2, 'y')")).isEqualTo(SqlEffect.WRITE);
    assertThat(classify("VALUES " + values + "(2, 'y')")).isEqualTo(SqlEffect.READ);
    assertThat(classify("(".repeat(100_000) + "SELECT 1")).isEqualTo(SqlEffect.READ);
  }

  @Test
  void noSqlMakesTheClassifierFail() {
    String[] parts = {
      "SELECT", "'", "\"", "$", "$a$", "(", ")", ";", "--", "/*", "*/", "\\", "E'", "U&\"", "\n",
      "f", "COMMIT", "DELETE", ".", "::", "1", " ", "é",
    };
    Random random = new Random(4711);
    for (int i = 0; i < 50_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int j = random.nextInt(12); j > 0; j--) {
        text.append(parts[random.nextInt(parts.length)]);
      }
      assertThat(classify(text.toString())).isNotNull();
    }
  }
}
