package io.portcullis.backend.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.backend.postgres.PostgresStorePlan.AdvisoryLockKey;
import io.portcullis.backend.postgres.jdbc.JdbcUrl;
import io.portcullis.backend.postgres.jdbc.JdbcUrl.DriverOptions;
import io.portcullis.election.backend.Backend;
import io.portcullis.election.backend.StorePlan;
import io.portcullis.election.config.Backoff;
import io.portcullis.election.config.Timing;
import io.portcullis.election.config.Timing.FirstElection;
import io.portcullis.election.contract.ReferenceSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGProperty;

class PostgresBackendTest {
  /**
   * Computed by another program: the first eight bytes of SHA-256 of "portcullis:orders:writer".
   */
  private static final long KNOWN_KEY = -7472872733790269759L;

  private static final String URL = "jdbc:postgresql://db.example/app";

  private static ReferenceSettings settings(Map<String, String> changes) {
    Map<String, String> all = new HashMap<>(Map.of("postgres.url", URL, "postgres.user", "app"));
    all.putAll(changes);
    return ReferenceSettings.of(PostgresBackend.class, all);
  }

  private static PostgresStorePlan plan(Map<String, String> changes) {
    ReferenceSettings settings = settings(changes);
    StorePlan plan = new PostgresBackend().plan("orders", "writer", settings);
    assertThat(settings.refusals()).isEmpty();
    return (PostgresStorePlan) Objects.requireNonNull(plan);
  }

  private static String refusal(Map<String, String> changes) {
    ReferenceSettings settings = settings(changes);
    assertThat(new PostgresBackend().plan("orders", "writer", settings)).isNull();
    return String.join("\n", settings.refusals());
  }

  @Test
  void serviceLoaderFindsTheBackend() {
    assertThat(ServiceLoader.load(Backend.class))
        .anyMatch(backend -> backend.name().equals("postgres"));
  }

  @Test
  void defaultsMatchTheContract() {
    PostgresStorePlan plan = plan(Map.of());

    Timing timing = plan.timing();
    assertThat(timing.lease()).isEqualTo(Duration.ofSeconds(6));
    assertThat(timing.renew()).isEqualTo(Duration.ofSeconds(3));
    assertThat(timing.renewJitter()).isEqualTo(0.2);
    assertThat(timing.heldBackoff())
        .isEqualTo(Backoff.between(Duration.ofMillis(200), Duration.ofMillis(800)));
    assertThat(timing.unknownBackoff().cap()).isEqualTo(Duration.ofSeconds(3));
    assertThat(timing.stale()).isEqualTo(Duration.ofSeconds(30));
    assertThat(timing.stepDownAfterRetries()).isFalse();
    assertThat(timing.holdAfterLapse()).isEqualTo(timing.lease());
    assertThat(timing.firstElection()).isEqualTo(FirstElection.AT_ONCE);
    assertThat(plan.table()).hasToString("portcullis_leader");
    assertThat(plan.channel()).isEqualTo("portcullis_leader");
    assertThat(plan.scope()).isEqualTo("orders:writer");
  }

  @Test
  void onlyAPriorityAboveZeroIsSentAndOnlyOnAChannel() {
    assertThat(plan(Map.of()).carriesPriorityRequestOf(1)).isTrue();
    assertThat(plan(Map.of()).carriesPriorityRequestOf(-1)).isFalse();
    assertThat(plan(Map.of("postgres.channel", "off")).carriesPriorityRequestOf(1)).isFalse();
  }

  @Test
  void configuredValuesAreUsed() {
    PostgresStorePlan plan =
        plan(
            Map.of(
                "timing.lease", "40s",
                "timing.renew", "4s",
                "timing.acquire-min", "100ms",
                "timing.acquire-max", "5s",
                "postgres.table", "ops.leaders",
                "postgres.scope", "billing",
                "postgres.lock-key", "-4711",
                "postgres.channel", "off"));

    assertThat(plan.timing().renew()).isEqualTo(Duration.ofSeconds(4));
    assertThat(plan.timing().stale()).isEqualTo(Duration.ofSeconds(40));
    assertThat(plan.timing().unknownBackoff().cap()).isEqualTo(Duration.ofSeconds(5));
    assertThat(plan.table().quoted()).isEqualTo("\"ops\".\"leaders\"");
    assertThat(plan.lockKey()).isEqualTo(-4711);
    assertThat(plan.channel()).isNull();
    assertThat(plan.storeKey()).isEqualTo("postgres db.example:5432/app ops.leaders billing");
  }

  @Test
  void scopeKeyNeverChangesAndIsLoggedAtTheStart() {
    PostgresStorePlan plan = plan(Map.of());

    assertThat(plan.lockKey()).isEqualTo(AdvisoryLockKey.of("orders:writer")).isEqualTo(KNOWN_KEY);
    assertThat(plan.describe()).endsWith("scope orders:writer, scope_key=" + KNOWN_KEY);
    assertThat(AdvisoryLockKey.of("orders:reader")).isNotEqualTo(KNOWN_KEY);
  }

  @Test
  void noTextFormContainsASecret() {
    PostgresStorePlan plan =
        plan(
            Map.of(
                "postgres.url", URL + "?sslmode=verify-full&sslpassword=hush",
                "postgres.user", "bob",
                "postgres.password", "sesame"));

    assertThat(plan.describe()).contains("jdbc:postgresql://db.example:5432/app");
    assertThat(plan.describe() + plan.storeKey() + plan)
        .doesNotContain("hush")
        .doesNotContain("sesame")
        .doesNotContain("bob");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "postgresql://host/app?password=hush",
        "jdbc:mysql://host/app?password=hush",
        "jdbc:postgresql://host?password=hush",
        "jdbc:postgresql://host/?password=hush",
        "jdbc:postgresql://bob:hush@host/app",
        "jdbc:postgresql://host:99999/app?password=hush",
        "jdbc:postgresql://ho st/app?password=hush",
        "jdbc:postgresql://host/app?password=hu%zzsh",
        "jdbc:postgresql://host/a/b?password=hush",
        "jdbc:postgresql://host/app?socketTimeout=3&password=hush",
        "jdbc:postgresql://host/app?targetServerType=secondary&sslpassword=hush",
        "jdbc:postgresql://host/app?sslmod=require&sslpassword=hush",
        "jdbc:postgresql://host/app?sslmode=strict&sslpassword=hush"
      })
  void invalidUrlIsRefusedWithoutShowingItsPassword(String url) {
    String refusal = refusal(Map.of("postgres.url", url));

    assertThat(refusal).startsWith("postgres.url ").doesNotContain("hush").doesNotContain("hu%zz");
  }

  @ParameterizedTest
  @CsvSource({
    "jdbc:postgresql:app, localhost:5432, app",
    "jdbc:postgresql:///app, localhost:5432, app",
    "'jdbc:postgresql://a,b:7/app?sslmode=verify-full', 'a:5432,b:7', app",
    "'jdbc:postgresql://[::1]:6/my%20app', [::1]:6, my app"
  })
  void validUrlsAreParsed(String url, String hosts, String database) {
    JdbcUrl read = JdbcUrl.parse(url);

    assertThat(String.join(",", read.hosts())).isEqualTo(hosts);
    assertThat(read.database()).isEqualTo(database);
    assertThat(read.hasSeveralHosts()).isEqualTo(hosts.contains(","));
  }

  @Test
  void allMistakesAreReportedTogether() {
    String refusals =
        refusal(
            Map.of(
                "postgres.url", URL + "?user=bob&sslpassword=hush",
                "postgres.user", "alice",
                "postgres.table", "Leaders",
                "postgres.lock-key", "many",
                "postgres.channel", "a b",
                "timing.acquire-min", "2s"));

    assertThat(refusals.lines().toList())
        .extracting(line -> line.substring(0, line.indexOf(' ')))
        .containsExactlyInAnyOrder(
            "postgres.user",
            "postgres.table",
            "postgres.lock-key",
            "postgres.channel",
            "timing.acquire-min");
    assertThat(refusals).doesNotContain("hush");
  }

  @ParameterizedTest
  @CsvSource({
    "timing.renew, 6s, renew 6s",
    "timing.stale, 5s, stale",
    "timing.longest-lease, 3s, longest-lease",
  })
  void incompatibleTimingsAreRefused(String key, String value, String named) {
    assertThat(refusal(Map.of(key, value))).contains(named);
  }

  @Test
  void retryPausesOfALateHeartbeatFollowTheLease() {
    assertThat(plan(Map.of("timing.lease", "12s")).timing().retry())
        .isEqualTo(List.of(Duration.ofMillis(500), Duration.ofSeconds(1)));
  }

  @Test
  void missingRoleIsRefusedInsteadOfGuessed() {
    ReferenceSettings settings =
        ReferenceSettings.of(PostgresBackend.class, Map.of("postgres.url", URL));

    assertThat(new PostgresBackend().plan("orders", "writer", settings)).isNull();
    assertThat(settings.refusals()).containsExactly("postgres.user is missing; name the role.");
  }

  @Test
  void everyOptionAllowedInAUrlIsOneOfTheDriver() {
    assertThat(Stream.of(PGProperty.values()).map(PGProperty::getName))
        .containsAll(DriverOptions.ALLOWED);
  }
}
