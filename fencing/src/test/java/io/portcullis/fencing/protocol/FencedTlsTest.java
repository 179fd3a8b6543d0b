package io.portcullis.fencing.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.fencing.protocol.FencedDatabaseStub.StaleEpochException;
import io.portcullis.servers.PostgresServer;
import io.portcullis.servers.SelfSignedCertificate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

/** Connections under TLS, negotiated or direct, and drivers that authenticate with a password. */
@Tag("slow")
class FencedTlsTest {
  private static final String PASSWORD = "open sesame";

  @TempDir static Path folder;

  private static FencedPostgresServer fenced;
  private static Path authority;

  @BeforeAll
  static void start() throws Exception {
    Path rules = folder.resolve("pg_hba.conf");
    Files.write(
        rules,
        List.of(
            "host all postgres 127.0.0.1/32 trust",
            "hostssl all secure 127.0.0.1/32 scram-sha-256",
            "host all plain 127.0.0.1/32 scram-sha-256"));
    SelfSignedCertificate made = SelfSignedCertificate.create(folder, "dns:localhost");
    authority = made.certificate();
    // TLS without negotiation needs Postgres 17, so it is not tested on an external server.
    fenced =
        FencedPostgresServer.on(
            PostgresServer.startLocal(
                "hba_file = '" + rules + "'",
                "ssl = on",
                "ssl_cert_file = '" + authority + "'",
                "ssl_key_file = '" + made.key() + "'"));
    for (String role : List.of("secure", "plain")) {
      fenced.execute("CREATE ROLE " + role + " LOGIN PASSWORD '" + PASSWORD + "'");
      fenced.execute("GRANT ALL ON ALL TABLES IN SCHEMA public TO " + role);
      fenced.execute("GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO " + role);
      fenced.execute("GRANT USAGE ON SCHEMA fences TO " + role);
    }
  }

  @AfterAll
  static void stop() {
    fenced.close();
  }

  @BeforeEach
  void reset() throws SQLException {
    fenced.reset();
  }

  private static Connection secure(String negotiation, String binding) throws SQLException {
    return fenced.connectBy(
        url(),
        "user",
        "secure",
        "password",
        PASSWORD,
        "sslmode",
        "verify-full",
        "sslrootcert",
        authority.toString(),
        "sslNegotiation",
        negotiation,
        "channelBinding",
        binding);
  }

  /** Connects under the name in the certificate. */
  private static String url() {
    return "jdbc:postgresql://localhost:"
        + fenced.server().port()
        + "/"
        + FencedPostgresFixture.DATABASE;
  }

  private static void insert(Connection connection, int n) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO t (n, s) VALUES (?, ?)")) {
      insert.setInt(1, n);
      insert.setString(2, "x".repeat(n));
      insert.executeUpdate();
    }
  }

  private static void assertFenced(Connection connection) throws SQLException {
    String pid = FencedPostgresServer.query(connection, "SELECT pg_backend_pid()");
    insert(connection, 1);
    connection.setAutoCommit(false);
    insert(connection, 2);
    insert(connection, 3);
    connection.commit();
    connection.setAutoCommit(true);
    FencedPostgresServer.execute(connection, "CALL commits()");
    assertThat(fenced.rows()).isEqualTo(5);
    fenced.takeOver();

    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> insert(connection, 4)).isInstanceOf(StaleEpochException.class);
      assertThat(FencedPostgresServer.query(connection, "SELECT count(*) FROM t")).isEqualTo("5");
    }
    assertThatThrownBy(() -> FencedPostgresServer.execute(connection, "CALL commits()"))
        .isInstanceOf(StaleEpochException.class);
    connection.setAutoCommit(false);
    assertThatThrownBy(() -> insert(connection, 4)).isInstanceOf(StaleEpochException.class);
    connection.rollback();
    assertThat(fenced.rows()).isEqualTo(5);

    fenced.reset();
    insert(connection, 4);
    connection.commit();
    assertThat(FencedPostgresServer.query(connection, "SELECT pg_backend_pid()")).isEqualTo(pid);
    assertThat(fenced.rows()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"postgres, disable", "postgres, require", "direct, disable", "direct, require"})
  void encryptedConnectionIsFencedLikeAPlainOne(String negotiation, String binding)
      throws SQLException {
    int before = FencedPostgresFixture.connections();
    try (Connection connection = secure(negotiation, binding)) {
      assertThat(isEncrypted(connection)).isEqualTo("t");
      assertThat(FencedPostgresFixture.connections()).isEqualTo(before + 1);
      assertFenced(connection);
    }
    assertThat(FencedPostgresFixture.connections()).isEqualTo(before);
  }

  private static String isEncrypted(Connection connection) throws SQLException {
    return FencedPostgresServer.query(
        connection, "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()");
  }

  @Test
  void connectionWithOnlyAPasswordIsFencedToo() throws SQLException {
    try (Connection connection =
        fenced.connectBy(url(), "user", "plain", "password", PASSWORD, "sslmode", "disable")) {
      assertThat(isEncrypted(connection)).isEqualTo("f");
      assertFenced(connection);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"disable", "require"})
  void refusedPasswordIsTheDriversErrorAndClosesConnection(String mode) {
    int before = FencedPostgresFixture.connections();

    assertThatThrownBy(
            () -> fenced.connectBy(url(), "user", "plain", "password", "guess", "sslmode", mode))
        .isInstanceOf(SQLException.class)
        .hasFieldOrPropertyWithValue("SQLState", "28P01");

    assertThat(FencedPostgresFixture.connections()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgres", "direct"})
  void largeTransfersAndNotificationsWorkUnderTls(String negotiation) throws SQLException {
    try (Connection connection = secure(negotiation, "prefer")) {
      PGConnection listener = connection.unwrap(PGConnection.class);
      FencedPostgresServer.execute(connection, "LISTEN news");
      assertThat(listener.getNotifications(20)).isNullOrEmpty();
      batch(connection, 2000);
      assertThat(sum(connection)).isEqualTo(1999L * 2000 / 2);
      fenced.execute("NOTIFY news, 'hello'");

      assertThat(listener.getNotifications(10_000))
          .singleElement()
          .satisfies(news -> assertThat(news.getParameter()).isEqualTo("hello"));
      fenced.takeOver();
      assertThatThrownBy(() -> batch(connection, 2000)).isInstanceOf(StaleEpochException.class);
      assertThat(sum(connection)).isEqualTo(1999L * 2000 / 2);
    }
    assertThat(fenced.rows()).isEqualTo(2000);
  }

  private static void batch(Connection connection, int rows) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO t (n, s) VALUES (?, ?)")) {
      for (int i = 0; i < rows; i++) {
        insert.setInt(1, i);
        insert.setString(2, "x".repeat(i));
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  /** The sum of the lengths of all texts that are read. */
  private static long sum(Connection connection) throws SQLException {
    long sum = 0;
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT s FROM t")) {
      while (rows.next()) {
        sum += rows.getString(1).length();
      }
    }
    return sum;
  }
}
