package io.portcullis.fencing.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.portcullis.gate.sql.SqlClassifier;
import io.portcullis.gate.sql.SqlEffect.FenceRequirement;
import io.portcullis.servers.PostgresServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Any SQL that a real server executes as a change is classified as a change: random SQL, the same
 * in every build. {@code -Dportcullis.random.seed} sets the first seed, {@code
 * -Dportcullis.random.runs} tries more of them.
 */
@Tag("slow")
class SqlClassifierRealServersTest {
  private static final long SEED = Long.getLong("portcullis.random.seed", 1);
  private static final int RUNS = Integer.getInteger("portcullis.random.runs", 5);

  /** Texts generated for each run; those that are classified as changes are not executed. */
  private static final int TEXTS = 4_000;

  private static final List<String> POSTGRES_TABLES =
      List.of(
          "ROLLBACK; DROP SCHEMA public CASCADE; CREATE SCHEMA public;"
              + "CREATE TABLE t (n int); INSERT INTO t VALUES (1), (2), (3);"
              + "CREATE TABLE t3 (n int); CREATE SEQUENCE s");
  private static final String POSTGRES_FINGERPRINT =
      "SELECT concat_ws(' ', (SELECT count(*) || '/' || sum(n) FROM t),"
          + " (SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace),"
          + " (SELECT last_value || is_called::text FROM s),"
          + " (SELECT count(*) FROM pg_largeobject_metadata))";

  private static final List<String> TABLES =
      List.of(
          "DROP TABLE IF EXISTS t",
          "DROP TABLE IF EXISTS t2",
          "DROP TABLE IF EXISTS t3",
          "DROP SEQUENCE IF EXISTS s",
          "CREATE TABLE t (n int)",
          "INSERT INTO t VALUES (1), (2), (3)",
          "CREATE TABLE t3 (n int)",
          "CREATE SEQUENCE s");
  private static final String H2_FINGERPRINT =
      "SELECT CONCAT((SELECT COUNT(*) FROM t), '/', (SELECT SUM(n) FROM t), ' ',"
          + " (SELECT COUNT(*) FROM INFORMATION_SCHEMA.TABLES), ' ',"
          + " (SELECT MAX(BASE_VALUE) FROM INFORMATION_SCHEMA.SEQUENCES))";
  private static final String MARIADB_FINGERPRINT =
      "SELECT CONCAT_WS('/', (SELECT COUNT(*) FROM t), (SELECT SUM(n) FROM t),"
          + " (SELECT COUNT(*) FROM information_schema.TABLES WHERE table_schema = DATABASE()),"
          + " (SELECT next_not_cached_value FROM s))";

  private static boolean isPostgresRead(String sql) {
    byte[] text = sql.getBytes(StandardCharsets.UTF_8);
    return SqlClassifier.classify(text, 0, text.length).need() == FenceRequirement.NOTHING;
  }

  private static List<String> executedChanges(ChangeDetector witness, Predicate<String> isRead)
      throws SQLException {
    List<String> found = new ArrayList<>();
    int executed = 0;
    RandomSqlGenerator texts = new RandomSqlGenerator(SEED);
    for (int i = 0; i < RUNS * TEXTS; i++) {
      String text = texts.next();
      if (text.indexOf('\0') < 0 && isRead.test(text)) {
        executed++;
        if (witness.isChangedBy(text)) {
          found.add(text);
        }
      }
    }
    System.out.println("seed " + SEED + ": " + executed + " of " + RUNS * TEXTS + " executed");
    return found;
  }

  /** The changes that this server executes at all, so that they could be detected. */
  private static Set<String> known(ChangeDetector witness) throws SQLException {
    Set<String> known = new TreeSet<>();
    for (String change : RandomSqlGenerator.CHANGES) {
      if (witness.isChangedBy("SELECT 1; " + change)) {
        known.add(change);
      }
    }
    return known;
  }

  private static ChangeDetector postgres(PostgresServer server) throws SQLException {
    String url = server.url() + (server.url().contains("?") ? "&" : "?");
    return new ChangeDetector(
        () ->
            DriverManager.getConnection(
                url + "preferQueryMode=simple&connectTimeout=0", server.user(), ""),
        POSTGRES_TABLES,
        POSTGRES_FINGERPRINT);
  }

  @Test
  void readsChangeNothingOnPostgres() throws SQLException {
    try (PostgresServer server = PostgresServer.start();
        ChangeDetector witness = postgres(server)) {
      assertThat(known(witness)).hasSizeGreaterThan(10);
      assertThat(executedChanges(witness, SqlClassifier::onlyReads)).isEmpty();
      assertThat(executedChanges(witness, SqlClassifierRealServersTest::isPostgresRead)).isEmpty();
    }
  }

  @Test
  void readsChangeNothingOnTheOldestPostgres() throws SQLException {
    assumeTrue(
        System.getProperty("os.name").equals("Linux")
            && System.getProperty("os.arch").equals("amd64"),
        "The oldest Postgres was not tried: there are binaries of it for Linux on amd64 only.");
    try (PostgresServer server =
            PostgresServer.startOf(Path.of("target", "servers", "oldest-postgres.jar"));
        ChangeDetector witness = postgres(server)) {
      assertThat(known(witness)).hasSizeGreaterThan(10);
      assertThat(executedChanges(witness, SqlClassifier::onlyReads)).isEmpty();
      assertThat(executedChanges(witness, SqlClassifierRealServersTest::isPostgresRead)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Regular", "PostgreSQL", "MySQL", "MariaDB", "MSSQLServer", "Oracle"})
  void readsChangeNothingOnH2(String mode) throws SQLException {
    String url = "jdbc:h2:mem:" + mode + ";DB_CLOSE_DELAY=-1;NON_KEYWORDS=X;MODE=" + mode;
    try (ChangeDetector witness =
        new ChangeDetector(() -> DriverManager.getConnection(url), TABLES, H2_FINGERPRINT)) {
      assertThat(known(witness)).hasSizeGreaterThan(6);
      assertThat(executedChanges(witness, SqlClassifier::onlyReads)).isEmpty();
    }
  }

  @Test
  void readsChangeNothingOnMariaDb() throws Exception {
    try (MariaDbFixture server = MariaDbFixture.startIfInstalled()) {
      assumeTrue(server != null, "MariaDB was not tried: there is no mariadbd on this machine.");
      try (var connection = server.connect("");
          var statement = connection.createStatement()) {
        statement.execute("CREATE DATABASE probe");
      }
      try (ChangeDetector witness =
          new ChangeDetector(() -> server.connect("probe"), TABLES, MARIADB_FINGERPRINT)) {
        assertThat(known(witness)).hasSizeGreaterThan(6);
        assertThat(executedChanges(witness, SqlClassifier::onlyReads)).isEmpty();
      }
    }
  }
}
