package io.portcullis.gate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqlTextTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "  ",
        ";",
        "-- nothing",
        "SELECT 1",
        "select * from orders where item = 'delete; insert into x'",
        "SELECT \"update\" FROM t",
        "SELECT updated_at, deleted FROM t",
        "SELECT it''s FROM t",
        "/* a hint */ SELECT 1 -- INSERT",
        "(SELECT 1) UNION (SELECT 2)",
        "WITH x AS (SELECT 1) SELECT * FROM x",
        "VALUES (1), (2)",
        "EXPLAIN SELECT 1",
        "SHOW transaction_read_only",
        "SET search_path TO app",
        "SELECT 1; COMMIT",
        "ROLLBACK",
        "SELECT REPLACE(name, 'a', 'b') FROM t",
        "SELECT a FROM t WHERE b = ? AND c > $1 AND d = :name",
      })
  void aTextThatOnlyReadsIsKnown(String sql) {
    assertThat(SqlText.onlyReads(sql)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO orders VALUES (1)",
        "insert into orders values (1) returning id",
        "UPDATE orders SET item = 'SELECT'",
        "DELETE FROM orders",
        "MERGE INTO a USING b ON a.id = b.id WHEN MATCHED THEN DELETE",
        "REPLACE INTO orders VALUES (1)",
        "CREATE TABLE a (b int)",
        "TRUNCATE a",
        "DROP TABLE a",
        "CALL archive()",
        "{call archive()}",
        "{? = call archive()}",
        "DO $$ BEGIN DELETE FROM a; END $$",
        "COPY a FROM STDIN",
        "WITH gone AS (DELETE FROM a RETURNING *) SELECT * FROM gone",
        "WITH x AS (SELECT 1) INSERT INTO a SELECT * FROM x",
        "SELECT * INTO b FROM a",
        "SELECT * FROM a FOR UPDATE",
        "EXPLAIN ANALYZE DELETE FROM a",
        "SELECT 1; DELETE FROM a",
        "; DELETE FROM a",
        "-- SELECT\nDELETE FROM a",
        "/* SELECT */ DELETE FROM a",
        "/*! DELETE FROM a */",
        "SELECT 'it\\'s'; DELETE FROM a -- '",
        "SELECT 'never ended",
        "SET GLOBAL read_only = 0",
        "NOTIFY channel",
        "BEGIN archive; END;",
        "SELECT 1 EXEC archive",
        "SET NOCOUNT ON DROP TABLE a",
        "GRANT ALL ON a TO b",
        "?",
        "42",
      })
  void whatIsNotSurelyHarmlessCountsAsAChange(String sql) {
    assertThat(SqlText.onlyReads(sql)).isFalse();
  }
}
