package io.portcullis.fencing.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.portcullis.gate.sql.SqlClassifier;
import io.portcullis.gate.sql.SqlEffect.FenceRequirement;
import io.portcullis.servers.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
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

  private static final Pattern ROLLBACK_PREPARED =
      Pattern.compile("(?is)(?:rollback|abort).*prepared");

  private static final List<String> POSTGRES_TABLES =
      List.of(
          "DROP SCHEMA public CASCADE; CREATE SCHEMA public;"
              + "CREATE TABLE t (n int); INSERT INTO t VALUES (1), (2), (3);"
              + "CREATE TABLE t3 (n int); CREATE SEQUENCE s;"
              + "CREATE PROCEDURE bump() LANGUAGE sql AS 'INSERT INTO t VALUES (7)';"
              + "SELECT lo_unlink(oid) FROM pg_largeobject_metadata; SELECT lo_create(4711)",
          "BEGIN",
          "PREPARE TRANSACTION 'x'");
  private static final String POSTGRES_FINGERPRINT =
      "SELECT concat_ws(' ', (SELECT count(*) || '/' || sum(n) FROM t),"
          + " (SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace),"
          + " (SELECT last_value || is_called::text FROM s),"
          + " (SELECT count(*) FROM pg_largeobject_metadata),"
          + " (SELECT count(*) FROM pg_prepared_xacts))";

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
          + " (SELECT MAX(BASE_VALUE) FROM INFORMATION_SCHEMA.SEQUENCES), ' ',"
          + " (SELECT SETTING_VALUE FROM INFORMATION_SCHEMA.SETTINGS"
          + " WHERE SETTING_NAME = 'MODE'))";
  private static final List<String> MARIADB_SETTINGS =
      List.of("SET PASSWORD FOR probe = PASSWORD('x')", "SET GLOBAL long_query_time = 10");
  private static final String MARIADB_FINGERPRINT =
      "SELECT CONCAT_WS('/', (SELECT COUNT(*) FROM t), (SELECT SUM(n) FROM t),"
          + " (SELECT COUNT(*) FROM information_schema.TABLES WHERE table_schema = DATABASE()),"
          + " (SELECT next_not_cached_value FROM s),"
          + " (SELECT authentication_string FROM mysql.user WHERE user = 'probe'),"
          + " @@GLOBAL.long_query_time, LOAD_FILE('%s') IS NOT NULL)";

  private static @Nullable MariaDbFixture mariaDb;

  @BeforeAll
  static void startMariaDb() throws IOException, SQLException {
    mariaDb = MariaDbFixture.startIfInstalled();
    if (mariaDb == null) {
      return;
    }
    try (Connection connection = mariaDb.connect("");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE probe");
      statement.execute("CREATE USER probe");
      statement.execute("CREATE PROCEDURE probe.bump() INSERT INTO t VALUES (7)");
    }
  }

  @AfterAll
  static void stopMariaDb() throws IOException {
    if (mariaDb != null) {
      mariaDb.close();
    }
  }

  /** A fence passes ROLLBACK PREPARED, which is documented: it can only undo. */
  private static boolean isPostgresRead(String sql) {
    if (ROLLBACK_PREPARED.matcher(sql).find()) {
      return false;
    }
    byte[] text = sql.getBytes(StandardCharsets.UTF_8);
    return SqlClassifier.classify(text, 0, text.length).need() == FenceRequirement.NOTHING;
  }

  private static List<String> executedChanges(ChangeDetector witness, Predicate<String> isRead)
      throws SQLException {
    List<String> found = new ArrayList<>();
    int executed = 0;
    RandomSqlGenerator random = new RandomSqlGenerator(SEED);
    List<String> texts = new ArrayList<>(RandomSqlGenerator.CHANGES);
    for (int i = 0; i < RUNS * TEXTS; i++) {
      texts.add(random.next());
    }
    for (String text : texts) {
      if (text.indexOf('\0') < 0 && isRead.test(text)) {
        executed++;
        if (witness.isChangedBy(text)) {
          found.add(text);
        }
      }
    }
    System.out.println("seed " + SEED + ": " + executed + " of " + texts.size() + " executed");
    return found;
  }

  /** The changes that this server executes at all, so that they could be detected. */
  private static Set<String> known(ChangeDetector witness) throws SQLException {
    Set<String> known = new TreeSet<>();
    for (String change : RandomSqlGenerator.CHANGES) {
      if (witness.isChangedBy("SELECT 1; " + change) || witness.isChangedBy(change)) {
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
        SqlClassifierRealServersTest::rollBackPrepared,
        POSTGRES_TABLES,
        POSTGRES_FINGERPRINT);
  }

  private static void rollBackPrepared(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("ROLLBACK");
      boolean isPrepared;
      try (ResultSet rows = statement.executeQuery("SELECT count(*) > 0 FROM pg_prepared_xacts")) {
        rows.next();
        isPrepared = rows.getBoolean(1);
      }
      if (isPrepared) {
        statement.execute("ROLLBACK PREPARED 'x'");
      }
    }
  }

  private static void checkPostgres(PostgresServer server) throws SQLException {
    try (ChangeDetector witness = postgres(server)) {
      assertThat(known(witness))
          .hasSizeGreaterThan(15)
          .contains("COMMIT PREPARED 'x'", "ROLLBACK PREPARED 'x'", "CALL bump()")
          .contains("COPY t FROM PROGRAM 'echo 7'", "SELECT lo_unlink(4711)");
      assertThat(executedChanges(witness, SqlClassifier::onlyReads)).isEmpty();
      assertThat(executedChanges(witness, SqlClassifierRealServersTest::isPostgresRead)).isEmpty();
    }
  }

  @Test
  void readsChangeNothingOnPostgres() throws SQLException {
    try (PostgresServer server = PostgresServer.start("max_prepared_transactions = 5")) {
      checkPostgres(server);
    }
  }

  @Test
  void readsChangeNothingOnTheOldestPostgres() throws SQLException {
    assumeTrue(
        System.getProperty("os.name").equals("Linux")
            && System.getProperty("os.arch").equals("amd64"),
        "The oldest Postgres was not tried: there are binaries of it for Linux on amd64 only.");
    try (PostgresServer server =
        PostgresServer.startOf(
            Path.of("target", "servers", "oldest-postgres.jar"), "max_prepared_transactions = 5")) {
      checkPostgres(server);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Regular", "PostgreSQL", "MySQL", "MariaDB", "MSSQLServer", "Oracle"})
  void readsChangeNothingOnH2(String mode) throws SQLException {
    String url = "jdbc:h2:mem:" + mode + ";DB_CLOSE_DELAY=-1;NON_KEYWORDS=X;MODE=" + mode;
    List<String> tables = new ArrayList<>(TABLES);
    tables.add("SET MODE " + mode);
    try (ChangeDetector witness =
        new ChangeDetector(
            () -> DriverManager.getConnection(url), connection -> {}, tables, H2_FINGERPRINT)) {
      assertThat(known(witness)).hasSizeGreaterThan(8).contains("SET MODE Derby");
      assertThat(executedChanges(witness, SqlClassifier::onlyReads)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "ANSI_QUOTES", "NO_BACKSLASH_ESCAPES", "ORACLE", "MSSQL"})
  void readsChangeNothingOnMariaDb(String mode) throws SQLException {
    MariaDbFixture server = mariaDb;
    assumeTrue(server != null, "MariaDB was not tried: there is no mariadbd on this machine.");
    Path rows = server.dataFolder().resolve("probe").resolve("rows");
    List<String> tables = new ArrayList<>(TABLES);
    tables.addAll(MARIADB_SETTINGS);
    try (ChangeDetector witness =
        new ChangeDetector(
            () -> server.connect("probe", mode),
            connection -> delete(rows),
            tables,
            MARIADB_FINGERPRINT.formatted(rows))) {
      assertThat(known(witness))
          .hasSizeGreaterThan(12)
          .contains("CALL bump()", "SET GLOBAL long_query_time = 7")
          .contains("SELECT 1 INTO OUTFILE 'rows'", "SET PASSWORD FOR probe = PASSWORD('y')");
      assertThat(executedChanges(witness, SqlClassifier::onlyReads)).isEmpty();
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
