package io.portcullis.backend.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.backend.postgres.jdbc.JdbcUrl;
import io.portcullis.backend.postgres.jdbc.PostgresAccess;
import io.portcullis.election.contract.Claimant;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse.HeldByOther;
import io.portcullis.election.store.LeaseResponse.Unknown;
import io.portcullis.servers.PostgresServer;
import io.portcullis.servers.SelfSignedCertificate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Passwords and certificates. */
class PostgresLoginTest {
  @TempDir static Path folder;

  private static PostgresServer server;
  private static Path certificate;

  @BeforeAll
  static void start() throws Exception {
    Path rules = folder.resolve("pg_hba.conf");
    Files.write(
        rules,
        List.of(
            "host all postgres 127.0.0.1/32 trust",
            "hostssl all secure 127.0.0.1/32 scram-sha-256",
            "host all plain,changing 127.0.0.1/32 scram-sha-256"));
    SelfSignedCertificate made = SelfSignedCertificate.create(folder, "dns:localhost");
    certificate = made.certificate();
    server =
        PostgresServer.startLocal(
            "hba_file = '" + rules + "'",
            "ssl = on",
            "ssl_cert_file = '" + certificate + "'",
            "ssl_key_file = '" + made.key() + "'");
    server.execute("GRANT CREATE ON SCHEMA public TO PUBLIC");
    server.execute("CREATE ROLE plain LOGIN PASSWORD 'open sesame'");
    server.execute("CREATE ROLE secure LOGIN PASSWORD 'open sesame'");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static PostgresFixture site(String user, @Nullable String password, String options) {
    JdbcUrl url =
        JdbcUrl.parse("jdbc:postgresql://localhost:" + server.port() + "/postgres" + options);
    return new PostgresFixture(
        server,
        new PostgresAccess(url, user, password == null ? null : () -> password),
        PostgresFixture.on(server).table(),
        "test");
  }

  private static Claimant claimant(String user, @Nullable String password, String options) {
    return site(user, password, options).claimant("a");
  }

  /**
   * A node that the server rejects. It tries to connect until its request times out, so its request
   * timeout is short.
   */
  private static Claimant refused(String user, @Nullable String password, String options) {
    return site(user, password, options).claimant("a", PostgresFixture.LEASE);
  }

  /** The reason, once it contains this; a busy machine may need several requests to connect. */
  private static String refusal(Claimant who, String expected) {
    return await()
        .atMost(PostgresFixture.LONG)
        .until(
            () -> who.ask(new LeaseRequest.Look()) instanceof Unknown unknown ? unknown.why() : "",
            why -> why.contains(expected));
  }

  @Test
  void correctPasswordIsAccepted() {
    try (Claimant a = claimant("plain", "open sesame", "")) {
      assertThat(a.lead().epoch()).isPositive();
    }
  }

  @Test
  void replacedPasswordIsUsedForTheNextConnection() {
    server.execute("CREATE ROLE changing LOGIN PASSWORD 'the old one'");
    AtomicReference<String> password = new AtomicReference<>("the old one");
    JdbcUrl url = JdbcUrl.parse("jdbc:postgresql://localhost:" + server.port() + "/postgres");
    PostgresAccess access =
        new PostgresAccess(url, "changing", () -> Objects.requireNonNull(password.get()));
    PostgresFixture site =
        new PostgresFixture(server, access, PostgresFixture.on(server).table(), "test");
    try (Claimant a = site.claimant("a", PostgresFixture.LEASE.multipliedBy(5))) {
      assertThat(a.lead().epoch()).isPositive();

      server.execute("ALTER ROLE changing PASSWORD 'the new one'");
      server.execute(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'changing'");
      await()
          .atMost(PostgresFixture.LONG)
          .until(() -> a.ask(new LeaseRequest.Look()).toString().contains("password-file"));
      password.set("the new one");

      await()
          .atMost(PostgresFixture.LONG)
          .until(() -> !(a.ask(new LeaseRequest.Look()) instanceof Unknown));
    }
  }

  @Test
  void wrongPasswordIsReportedWithoutShowingIt() {
    try (Claimant a = refused("plain", "open barley", "")) {
      assertThat(refusal(a, "password-file")).doesNotContain("barley");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"require", "verify-ca", "verify-full"})
  void everyTlsModeWorksWithTheRightAuthority(String mode) {
    String options = "?sslmode=" + mode + "&sslrootcert=" + certificate;
    try (Claimant a = claimant("secure", "open sesame", options)) {
      // The first handshake of a JVM may exceed a request's timeout.
      await()
          .atMost(PostgresFixture.LONG)
          .until(() -> a.ask(new LeaseRequest.Look()) instanceof HeldByOther);
      await().atMost(PostgresFixture.LONG).until(() -> a.acquire(a.claim()) instanceof HeldByOther);

      assertThat(a.lead().epoch()).isPositive();
      assertThat(
              server.query(
                  "SELECT bool_and(s.ssl) FROM pg_stat_ssl s JOIN pg_stat_activity a"
                      + " USING (pid) WHERE a.usename = 'secure'"))
          .isEqualTo("t");
    }
  }

  @Test
  void certificateForAnotherHostIsRefusedByVerifyFull() {
    PostgresFixture site = PostgresFixture.on(server);
    String url =
        server.url() + "?sslmode=verify-full&sslrootcert=" + certificate; // Names 127.0.0.1.
    PostgresAccess access = new PostgresAccess(JdbcUrl.parse(url), "secure", () -> "open sesame");
    try (Claimant a =
        new PostgresFixture(server, access, site.table(), "test")
            .claimant("a", PostgresFixture.LEASE)) {
      assertThat(refusal(a, "127.0.0.1")).isNotEmpty();
    }
  }

  @Test
  void roleThatRequiresTlsIsReported() {
    try (Claimant a = refused("secure", "open sesame", "?sslmode=disable")) {
      assertThat(refusal(a, "pg_hba.conf")).isNotEmpty();
    }
  }

  @Test
  void missingDatabaseIsReported() {
    PostgresFixture site = PostgresFixture.on(server);
    PostgresAccess access =
        new PostgresAccess(JdbcUrl.parse(server.url("nowhere")), "postgres", null);
    try (Claimant a =
        new PostgresFixture(server, access, site.table(), "test")
            .claimant("a", PostgresFixture.LEASE)) {
      assertThat(refusal(a, "nowhere")).contains("check postgres.url");
    }
  }
}
