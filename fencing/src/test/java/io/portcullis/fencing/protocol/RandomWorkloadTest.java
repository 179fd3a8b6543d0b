package io.portcullis.fencing.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.servers.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random operations on a fenced connection and on an unfenced one: the same in every build. {@code
 * -Dportcullis.random.seed} sets the first seed, {@code -Dportcullis.random.runs} tries more of
 * them.
 */
@Tag("slow")
class RandomWorkloadTest {
  private static final int STEPS = 120;
  private static final int RUNS = Integer.getInteger("portcullis.random.runs", 25);
  private static final String[][] SETTINGS = {
    {"preferQueryMode", "extended", "extended", "extendedForPrepared", "simple"},
    {"prepareThreshold", "1", "2", "5", "-1"},
    {"autosave", "never", "never", "always", "conservative"},
    {"cleanupSavepoints", "false", "true"},
    {"reWriteBatchedInserts", "false", "true"},
    {"readOnlyMode", "transaction", "ignore", "always"},
    {"defaultRowFetchSize", "0", "0", "4"},
    {"preparedStatementCacheQueries", "256", "256", "2"},
  };

  private static FencedPostgresServer server;

  private long seed = Long.getLong("portcullis.random.seed", 1);

  @BeforeAll
  static void start() throws SQLException {
    assertThat(FencedPostgresFixture.connections()).isNotNegative();
    server = FencedPostgresServer.on(PostgresServer.start());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @AfterEach
  void reset() throws SQLException {
    FencedPostgresFixture.reset();
  }

  private void prepare() throws SQLException {
    server.reset();
    for (String schema : List.of("one", "two")) {
      server.execute(
          "DROP SCHEMA IF EXISTS "
              + schema
              + " CASCADE; CREATE SCHEMA "
              + schema
              + "; SET search_path = "
              + schema
              + "; "
              + RandomWorkload.TABLES);
    }
  }

  private String[] settings(String schema) {
    Random random = new Random(seed * 0x9E3779B97F4A7C15L);
    List<String> settings = new ArrayList<>(List.of("currentSchema", schema));
    for (String[] setting : SETTINGS) {
      settings.add(setting[0]);
      settings.add(setting[1 + random.nextInt(setting.length - 1)]);
    }
    return settings.toArray(String[]::new);
  }

  private RandomWorkload work(String schema) throws SQLException {
    Connection connection =
        schema.equals("one")
            ? server.connect(settings(schema))
            : FencedPostgresFixture.unfenced(() -> server.connect(settings(schema)));
    return new RandomWorkload(connection, schema, seed);
  }

  private static String content(String schema) throws SQLException {
    return server.query("SELECT string_agg(w::text, ' ' ORDER BY id) FROM " + schema + ".w");
  }

  private interface Run {
    void run() throws Exception;
  }

  private void often(Run run) throws Exception {
    for (int i = 0; i < RUNS; i++) {
      prepare();
      run.run();
      seed++;
    }
  }

  private String report(List<String> steps) {
    return "seed "
        + seed
        + ", "
        + String.join(" ", settings(""))
        + ":\n"
        + String.join("\n", steps);
  }

  @Test
  void fenceChangesNothingWhileThisNodeLeads() throws Exception {
    often(
        () -> {
          List<String> steps = new ArrayList<>();
          try (RandomWorkload fenced = work("one");
              RandomWorkload plain = work("two")) {
            for (int i = 0; i < STEPS; i++) {
              String expected = plain.step();
              steps.add(expected);
              assertThat(fenced.step()).as(() -> report(steps)).isEqualTo(expected);
            }
          }
          assertThat(content("one")).as(() -> report(steps)).isEqualTo(content("two"));
        });
  }

  @Test
  void nothingIsCommittedAfterATakeover() throws Exception {
    often(
        () -> {
          List<String> steps = new ArrayList<>();
          try (RandomWorkload fenced = work("one")) {
            int until = new Random(seed).nextInt(STEPS / 2);
            for (int i = 0; i < until; i++) {
              steps.add(fenced.step());
            }
            CompletableFuture<Void> installed =
                CompletableFuture.runAsync(() -> install(8, "node-b"));
            while (!installed.isDone()) {
              steps.add(fenced.step());
            }
            installed.get(1, TimeUnit.MINUTES);
            steps.add("Another node has taken over.");
            FencedPostgresFixture.SITE.open = seed % 3 == 0 ? 0 : 7;
            String before = content("one");
            for (int i = 0; i < STEPS / 2; i++) {
              steps.add(fenced.step());
            }
            assertThat(content("one")).as(() -> report(steps)).isEqualTo(before);
            try {
              writesAgain(fenced.connection(), steps);
            } catch (SQLException e) {
              throw new AssertionError(report(steps), e);
            }
          }
        });
  }

  private void writesAgain(Connection connection, List<String> steps) throws SQLException {
    String where = report(steps);
    if (!rollback(connection)) {
      return;
    }
    connection.setAutoCommit(true);
    install(9, FencedDatabaseStub.HOLDER);
    FencedPostgresFixture.SITE.open = 9;
    connection.setReadOnly(false);
    int rows = Integer.parseInt(server.query("SELECT count(*) FROM one.w"));
    FencedPostgresServer.execute(connection, "RESET ALL");
    FencedPostgresServer.execute(connection, "INSERT INTO one.w (n) VALUES (1)");
    assertThat(server.query("SELECT count(*) FROM one.w")).as(where).isEqualTo("" + (rows + 1));
  }

  /**
   * A driver that sets savepoints automatically may have to do it twice, after ROLLBACK AND CHAIN.
   *
   * @return false if it never can: if the connection no longer knows the name of its ROLLBACK, that
   *     statement is checked, and the driver undoes the failure with its own savepoint
   */
  private static boolean rollback(Connection connection) throws SQLException {
    for (int i = 0; i < 2; i++) {
      try {
        rollbackOnce(connection);
        return true;
      } catch (SQLException e) {
        assertThat(i).as(e.toString()).isZero();
      } catch (FencedDatabaseStub.StaleEpochException e) {
        // Safe, but the application can only close the connection.
      }
    }
    return false;
  }

  private static void rollbackOnce(Connection connection) throws SQLException {
    if (connection.getAutoCommit()) {
      FencedPostgresServer.execute(connection, "ROLLBACK");
    } else {
      connection.rollback();
    }
  }

  private static void install(long epoch, String holder) {
    try {
      server.execute(
          FenceSql.LOCK
              + ";UPDATE fences.fence SET epoch = "
              + epoch
              + ", holder = '"
              + holder
              + "'");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
