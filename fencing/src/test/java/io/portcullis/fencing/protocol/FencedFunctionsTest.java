package io.portcullis.fencing.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.fencing.protocol.FencedDatabaseStub.StaleEpochException;
import io.portcullis.gate.sql.SqlClassifier;
import io.portcullis.gate.sql.SqlEffect;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Functions that a query calls, on the server that executes them. */
@Tag("slow")
class FencedFunctionsTest {
  /** Each writes a row, and has a name that could be mistaken for part of the language. */
  private static final List<String> WRITERS = List.of("join", "ilike", "over", "filter", "explain");

  @BeforeAll
  static void define() throws SQLException {
    for (String name : WRITERS) {
      FencedPostgresFixture.execute(
          "CREATE OR REPLACE FUNCTION "
              + name
              + "(n int) RETURNS int LANGUAGE plpgsql AS $$BEGIN RETURN writes(); END$$");
    }
    for (String name : List.of("pretends", "dblink_pretends")) {
      FencedPostgresFixture.execute(
          "CREATE OR REPLACE FUNCTION "
              + name
              + "() RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$BEGIN RETURN writes(); END$$");
    }
  }

  @BeforeEach
  void reset() throws SQLException {
    FencedPostgresFixture.reset();
    FencedPostgresFixture.execute("INSERT INTO t (n) VALUES (1)");
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT join(1)",
        "SELECT * FROM join(1)",
        "SELECT 1, ilike(1)",
        "SELECT DISTINCT ON (n) join(n) FROM t",
        "SELECT DISTINCT ON (n) over(n) FROM t",
        "SELECT DISTINCT ON (n) filter(n) FROM t",
        "SELECT explain(1)",
        "SELECT n FROM t ORDER BY join(n)",
        "SELECT count(*) OVER (PARTITION BY ilike(n)) FROM t",
        "SELECT n FROM t WHERE n BETWEEN ASYMMETRIC join(n) AND 2",
        // The planner executes functions that are declared immutable.
        "EXPLAIN SELECT pretends()",
        "EXPLAIN SELECT dblink_pretends()",
      })
  void writingFunctionIsRefusedWhateverItsName(String text) throws SQLException {
    try (Connection connection = FencedPostgresFixture.connect()) {
      execute(connection, text);
      assertThat(FencedPostgresFixture.rows()).isEqualTo(2);
      FencedPostgresFixture.takeOver();

      assertThatThrownBy(() -> execute(connection, text))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("read-only");
    }
    assertThat(FencedPostgresFixture.rows()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "EXPLAIN ANALYZE INSERT INTO t (n) VALUES (2)",
        "EXPLAIN (ANALYZE) INSERT INTO t (n) VALUES (2)",
        "EXPLAIN (\"analyze\") INSERT INTO t (n) VALUES (2)",
        "EXPLAIN (COSTS off, U&\"\\0061nalyze\" on) INSERT INTO t (n) VALUES (2)",
      })
  void explainThatExecutesItsStatementIsAWrite(String text) throws SQLException {
    try (Connection connection = FencedPostgresFixture.connect()) {
      execute(connection, text);
      assertThat(FencedPostgresFixture.rows()).isEqualTo(2);
      FencedPostgresFixture.takeOver();

      assertThatThrownBy(() -> execute(connection, text)).isInstanceOf(StaleEpochException.class);
      execute(connection, "EXPLAIN INSERT INTO t (n) VALUES (2)");
    }
    assertThat(FencedPostgresFixture.rows()).isEqualTo(2);
  }

  /** Sent as simple queries, so that none depends on what this server's version supports. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "pg_notify('news', 'stale')",
        "pg_logical_emit_message(false, 'stale', 'news')",
        "pg_create_physical_replication_slot('stale')",
        "pg_create_logical_replication_slot('stale', 'pgoutput')",
        "pg_copy_physical_replication_slot('a', 'stale')",
        "pg_copy_logical_replication_slot('a', 'stale')",
        "pg_drop_replication_slot('a')",
        "pg_replication_slot_advance('a', '0/1')",
        "pg_logical_slot_get_changes('a', NULL, NULL)",
        "pg_logical_slot_get_binary_changes('a', NULL, NULL)",
        "pg_replication_origin_create('stale')",
        "pg_replication_origin_drop('a')",
        "pg_replication_origin_advance('a', '0/1')",
        "pg_restore_relation_stats('schemaname', 'public', 'relname', 't', 'reltuples', 5::real)",
        "pg_clear_relation_stats('public', 't')",
        "pg_restore_attribute_stats('schemaname', 'public', 'relname', 't', 'attname', 'n',"
            + " 'inherited', false, 'null_frac', 0.5::real)",
        "pg_clear_attribute_stats('public', 't', 'n', false)",
        "lo_create(0)",
        "lo_put(1, 0, 'stale')",
        "lo_unlink(1)",
      })
  void callsNotStoppedByAReadOnlyTransactionAreRefused(String call) throws SQLException {
    FencedPostgresFixture.takeOver();
    try (Connection connection = FencedPostgresFixture.connect("preferQueryMode", "simple")) {
      assertThatThrownBy(() -> execute(connection, "SELECT " + call))
          .isInstanceOf(StaleEpochException.class);
    }
  }

  /** A function that is not volatile writes nothing, unless it is declared wrongly. */
  @Test
  void onlyTheseVolatileFunctionsCountAsReads() throws SQLException {
    String names =
        FencedPostgresFixture.query(
            "SELECT string_agg(DISTINCT proname, ' ') FROM pg_proc"
                + " WHERE provolatile = 'v' AND pronamespace = 'pg_catalog'::regnamespace");
    List<String> read = new ArrayList<>();
    for (String name : names.split(" ", -1)) {
      byte[] text = ("SELECT " + name + "()").getBytes(StandardCharsets.UTF_8);
      if (SqlClassifier.classify(text, 0, text.length) == SqlEffect.READ) {
        read.add(name);
      }
    }

    assertThat(read)
        .isSubsetOf(
            "array_sample",
            "array_shuffle",
            "clock_timestamp",
            "current_query",
            "gen_random_uuid",
            "lo_get",
            "pg_blocking_pids",
            "pg_column_size",
            "pg_database_size",
            "pg_indexes_size",
            "pg_is_in_recovery",
            "pg_relation_size",
            "pg_table_size",
            "pg_total_relation_size",
            "random");
  }

  @ParameterizedTest
  @ValueSource(strings = {"extended", "simple"})
  void overloadedFunctionsOfAnotherRoleAreNotCalled(String mode) throws SQLException {
    int before = FencedPostgresFixture.rows();
    FencedPostgresFixture.execute(FencedPostgresServer.OVERLOADS);
    try (Connection connection = FencedPostgresFixture.connect("preferQueryMode", mode)) {
      FencedPostgresServer.execute(connection, "INSERT INTO t (n) VALUES (1)");
      FencedPostgresServer.execute(connection, "VACUUM t");
      FencedPostgresFixture.takeOver();

      for (String text : new String[] {"INSERT INTO t (n) VALUES (1)", "CALL commits()"}) {
        assertThatThrownBy(() -> FencedPostgresServer.execute(connection, text))
            .isInstanceOf(StaleEpochException.class);
      }
    } finally {
      FencedPostgresFixture.execute(FencedPostgresServer.NO_OVERLOADS);
    }
    assertThat(FencedPostgresFixture.rows()).isEqualTo(before + 1);
  }
}
