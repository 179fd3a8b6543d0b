package io.portcullis.backend.postgres.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.backend.postgres.jdbc.JdbcUrl;
import io.portcullis.backend.postgres.jdbc.PostgresAccess;
import io.portcullis.backend.postgres.jdbc.TableName;
import io.portcullis.election.fence.EpochFence;
import io.portcullis.servers.PasswordCapturingServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a server learns about the installer's password. */
class ForeignLoginTest {
  private static final String SECRET = "installer-secret-password";

  private static PostgresFencePlan plan(String url, String match) {
    JdbcUrl parsed = JdbcUrl.parse(url);
    return new PostgresFencePlan(
        new PostgresAccess(parsed, "installer", () -> SECRET),
        FencedDatabaseMatcher.parse(match, parsed),
        TableName.parse("portcullis_fence"),
        "orders:writer",
        Duration.ofMillis(200));
  }

  private static String match(PasswordCapturingServer trap, boolean named) {
    return named
        ? "jdbc:postgresql://127.0.0.1:" + trap.port() + "/app"
        : "jdbc:postgresql://*/app";
  }

  @ParameterizedTest
  @CsvSource({"CLEAR_TEXT, true", "CLEAR_TEXT, false", "MD5, false"})
  void foreignServerGetsNoPassword(PasswordCapturingServer.AuthMethod method, boolean named) {
    try (PasswordCapturingServer trap = PasswordCapturingServer.open("127.0.0.1", method);
        EpochFence fence =
            plan("jdbc:postgresql://localhost:1/app", match(trap, named))
                .open("node", "127.0.0.1", trap.port(), "app")) {
      String message = FenceFixture.failureMessage(fence.read());

      assertThat(trap.users()).contains("installer");
      assertThat(trap.passwords()).isEmpty();
      assertThat(message).doesNotContain(SECRET);
    }
  }

  @ParameterizedTest
  @CsvSource({"CLEAR_TEXT", "MD5"})
  void hostOfTheUrlMayUseAnyLoginMethod(PasswordCapturingServer.AuthMethod method) {
    try (PasswordCapturingServer trap = PasswordCapturingServer.open("127.0.0.1", method);
        EpochFence fence =
            plan("jdbc:postgresql://127.0.0.1:" + trap.port() + "/home", match(trap, false))
                .open("node", "127.0.0.1", trap.port(), "app")) {
      FenceFixture.failureMessage(fence.read());

      assertThat(trap.passwords()).isNotEmpty();
    }
  }

  @Test
  void md5LoginWorksAtHostThatMatchNames() {
    try (PasswordCapturingServer trap =
            PasswordCapturingServer.open("127.0.0.1", PasswordCapturingServer.AuthMethod.MD5);
        EpochFence fence =
            plan("jdbc:postgresql://localhost:1/app", match(trap, true))
                .open("node", "127.0.0.1", trap.port(), "app")) {
      FenceFixture.failureMessage(fence.read());

      assertThat(trap.passwords()).isNotEmpty().allMatch(each -> each.startsWith("md5"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'', '!password,!md5'",
    "?requireAuth=scram-sha-256, scram-sha-256",
    "'?requireAuth=password,gss', gss",
    "?requireAuth=password, scram-sha-256",
    "'?requireAuth=!none', '!none,!password,!md5'",
    "?sslmode=require, '!password,!md5'",
    "?sslmode=verify-ca, '!password,!md5'",
    "?sslmode=verify-full&sslfactory=x.Any, '!password,!md5'",
    "?ssl=false, '!password,!md5'",
    "?sslmode=verify-full, '!password,!md5'",
    "?ssl=true, '!password,!md5'",
  })
  void loginMethodsAreLimitedAtHostThatIsNotNamed(String options, String methods) {
    assertThat(loginMethods(options, false)).isEqualTo(methods);
  }

  @ParameterizedTest
  @CsvSource({
    "'', '!password'",
    "?sslmode=verify-ca, '!password'",
    "?sslmode=verify-full&sslfactory=x.Any, '!password'",
    "?sslmode=verify-full&service=x, '!password'",
    "?ssl=TRUE&service=x, '!password'",
    "?sslmode=verify-full,",
    "?sslmode=verify-full&requireAuth=password, password",
    "?ssl=true,",
    "?ssl=TRUE,",
    "?ssl=,",
    "?ssl,",
  })
  void loginMethodsAreLimitedAtNamedHostUnlessTlsProvesIt(String options, String methods) {
    assertThat(loginMethods(options, true)).isEqualTo(methods);
  }

  private static @Nullable String loginMethods(String options, boolean hostIsNamed) {
    PostgresAccess access =
        new PostgresAccess(
            JdbcUrl.parse("jdbc:postgresql://db/app" + options), "installer", () -> SECRET);
    return access.withoutWeakLogins(hostIsNamed).url().options().get("requireAuth");
  }

  /** The driver takes any other value for sslmode=prefer, which a server may answer without TLS. */
  @ParameterizedTest
  @ValueSource(strings = {"1", "yes", "on", "require", "t", " true", "verify-full"})
  void valueOfSslThatDriverTakesForFalseIsRefused(String value) {
    String url = "jdbc:postgresql://db/app?ssl=" + value;

    assertThatThrownBy(() -> JdbcUrl.parse(url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ssl must be true or false; use sslmode");
    JdbcUrl unchecked = new JdbcUrl(url, List.of("db:5432"), "app", Map.of("ssl", value));
    assertThat(unchecked.verifiesServer()).isFalse();
  }
}
