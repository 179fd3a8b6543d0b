package io.portcullis.backend.postgres.fence;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.contract.ReferenceSettings;
import io.portcullis.election.fence.FencePlan;
import io.portcullis.election.fence.FenceProvider;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Valid and invalid settings. */
class PostgresFencePlanTest {
  private static final String URL = "jdbc:postgresql://db.local:5433/app";

  private static ReferenceSettings settings(Map<String, String> changes) {
    Map<String, String> all = new LinkedHashMap<>(Map.of("url", URL, "user", "installer"));
    all.putAll(changes);
    return ReferenceSettings.of(PostgresFenceProvider.class, "fence-reference.conf", all);
  }

  private static FencePlan plan(Map<String, String> changes) {
    ReferenceSettings settings = settings(changes);
    FencePlan plan = new PostgresFenceProvider().plan("orders", "writer", settings);
    assertThat(settings.refusals()).isEmpty();
    return Objects.requireNonNull(plan);
  }

  private static String refusal(Map<String, String> changes) {
    ReferenceSettings settings = settings(changes);
    assertThat(new PostgresFenceProvider().plan("orders", "writer", settings)).isNull();
    assertThat(settings.refusals()).hasSize(1);
    return settings.refusals().get(0);
  }

  @Test
  void providerIsFoundByItsName() {
    assertThat(ServiceLoader.load(FenceProvider.class))
        .singleElement()
        .satisfies(kind -> assertThat(kind.name()).isEqualTo("postgres"));
  }

  @Test
  void unsetKeysHaveDefaults() {
    FencePlan plan = plan(Map.of());

    assertThat(plan.scope()).isEqualTo("orders:writer");
    assertThat(plan.writerTimeout()).isEqualTo(Duration.ofSeconds(1));
    assertThat(plan.describe())
        .isEqualTo(
            "Postgres at jdbc:postgresql://db.local:5433/app, table portcullis.portcullis_fence,"
                + " scope orders:writer");
    assertThat(plan.warnings()).isEmpty();
  }

  private static InetSocketAddress server(String host, int port, String address) {
    try {
      return new InetSocketAddress(
          InetAddress.getByAddress(host, InetAddress.getByName(address).getAddress()), port);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "jdbc:postgresql://10.0.0.7:5433/app, 10.0.0.7, 5433, app, true",
    "jdbc:postgresql://10.0.0.7:5433/app, db.local, 5433, app, true",
    "jdbc:postgresql://10.0.0.7:5433/app, 10.0.0.7, 5432, app, false",
    "jdbc:postgresql://10.0.0.7:5433/app, 10.0.0.7, 5433, app2, false",
    "jdbc:postgresql://10.0.0.8:5433/app, 10.0.0.7, 5433, app, false",
    "jdbc:postgresql://10.0.0.8:5433/app, db.local, 5433, app, false",
    "jdbc:postgresql://10.0.0.7/app, db.local, 5432, app, true",
    "jdbc:postgresql://10.0.0.7/app, db.local, 6432, app, false",
    "'jdbc:postgresql://10.0.0.8:1,10.0.0.7:2/app', db.local, 2, app, true",
    "'jdbc:postgresql://10.0.0.8:1,10.0.0.7:2/app', db.local, 1, app, false",
    "jdbc:postgresql://DB.local/app, db.LOCAL, 5432, app, true",
    "jdbc:postgresql://10.0.0.7/a%20b, 10.0.0.7, 5432, a b, true",
  })
  void fenceWithoutMatchCoversOnlyHostsOfTheUrl(
      String url, String host, int port, String database, boolean covered) {
    FencePlan plan = plan(Map.of("url", url));
    InetSocketAddress server = server(host, port, "10.0.0.7");

    assertThat(plan.covers(server, database)).isEqualTo(covered);
    assertThat(plan.isHome(server, database)).isEqualTo(covered);
    assertThat(plan.warnings()).isEmpty();
  }

  @Test
  void ipv6AddressMatchesWithAndWithoutBrackets() {
    FencePlan plan = plan(Map.of("url", "jdbc:postgresql://[::1]:5433/app"));

    assertThat(plan.covers(server("::1", 5433, "::1"), "app")).isTrue();
    assertThat(plan.covers(server("[::1]", 5433, "::1"), "app")).isTrue();
    assertThat(plan.covers(server("local", 5433, "::1"), "app")).isTrue();
    assertThat(plan.covers(server("local", 5433, "::2"), "app")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "jdbc:postgresql://*/app*, db, 5432, app_eu, true",
    "jdbc:postgresql://*/app*, db, 7777, app, true",
    "jdbc:postgresql://*/app*, db, 5432, shop, false",
    "jdbc:postgresql://*/*, db, 5432, anything, true",
    "jdbc:postgresql://db/app, db, 5432, app, true",
    "jdbc:postgresql://db/app, db, 5433, app, false",
    "jdbc:postgresql://db:5432/app, db, 5432, app, true",
    "jdbc:postgresql://DB.local/app, db.LOCAL, 5432, app, true",
    "jdbc:postgresql://db.local/app, dbxlocal, 5432, app, false",
    "jdbc:postgresql://db/App, db, 5432, app, false",
    "jdbc:postgresql://db*:54*/app, db7, 5499, app, true",
    "jdbc:postgresql://[::1]:5433/app, ::1, 5433, app, true",
  })
  void matchIsComparedWithTheConnectionsTarget(
      String match, String host, int port, String database, boolean covered) {
    assertThat(plan(Map.of("match", match)).covers(server(host, port, "10.0.0.7"), database))
        .isEqualTo(covered);
  }

  @Test
  void addressOfTheUrlIsTheHomeDespiteMatch() {
    FencePlan plan =
        plan(
            Map.of("url", "jdbc:postgresql://10.0.0.7/app", "match", "jdbc:postgresql://db.*/app"));

    assertThat(plan.isHome(server("db.local", 5432, "10.0.0.7"), "app")).isTrue();
    assertThat(plan.isHome(server("db.local", 5432, "10.0.0.8"), "app")).isFalse();
    assertThat(plan.covers(server("db.local", 5432, "10.0.0.8"), "app")).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "jdbc:postgresql://*/app, true",
    "jdbc:postgresql://db*:5432/app, true",
    "jdbc:postgresql://db:54*/app, false",
    "jdbc:postgresql://[::1]:54*/*, false",
    "jdbc:postgresql://db/*, false",
  })
  void wildcardInTheHostOfMatchIsReported(String match, boolean warned) {
    assertThat(plan(Map.of("match", match)).warnings()).hasSize(warned ? 1 : 0);
  }

  @ParameterizedTest
  @CsvSource({
    "match, postgresql://db/app, match must begin with jdbc:postgresql://",
    "match, jdbc:mysql://db/app, match must begin with jdbc:postgresql://",
    "match, jdbc:postgresql:app, match must begin with jdbc:postgresql://",
    "match, jdbc:postgresql://db/app?ssl=true, match must end with the database",
    "match, jdbc:postgresql://db, match names no database",
    "match, jdbc:postgresql://db/, match names no database",
    "match, jdbc:postgresql:///app, match names no host",
    "url, jdbc:mysql://db/app, url is not a JDBC URL of Postgres",
    "table, Fence, table 'Fence' is not a table name",
    "wait, 61s, wait is 61s; it must be at most 60s",
  })
  void invalidSettingsAreRefused(String key, String value, String message) {
    assertThat(refusal(Map.of(key, value))).startsWith(message);
  }

  @ParameterizedTest
  @CsvSource({
    "jdbc:postgresql://user:hunter2@*/app",
    "jdbc:postgresql://user:hunter2@db/app",
    "jdbc:postgresql://hunter2@db/app",
    "jdbc:postgresql://user:hun/ter2@*/app",
  })
  void matchWithUserOrPasswordIsRefusedWithoutQuotingIt(String match) {
    assertThat(refusal(Map.of("match", match)))
        .startsWith("match must not contain a user or password")
        .doesNotContain("hunter2", "ter2");
  }

  @Test
  void tableNameTooLongForItsFunctionsIsRefused() {
    assertThat(refusal(Map.of("table", "a".repeat(55)))).contains("at most 54");
    assertThat(plan(Map.of("table", "a".repeat(54)))).isNotNull();
  }

  @Test
  void exampleTableDiffersFromTheElectionsTable() {
    assertThat(refusal(Map.of("table", "a.b.c")))
        .contains("optionally with a schema and a dot before it")
        .doesNotContain("leader");
  }

  @Test
  void userMustBeSetInExactlyOnePlace() {
    assertThat(refusal(Map.of("user", "null"))).contains("user is missing");
    assertThat(refusal(Map.of("url", URL + "?user=x"))).contains("in one place");
  }

  @Test
  void otherDatabaseUsesTheSameRoleAndOptions() {
    PostgresFencePlan plan =
        (PostgresFencePlan)
            plan(Map.of("url", URL + "?sslmode=require", "match", "jdbc:postgresql://*/*"));

    assertThat(plan.access().at("::1", 7, "a b/c?d").url().url())
        .isEqualTo("jdbc:postgresql://[::1]:7/a%20b%2Fc%3Fd?sslmode=require");
    assertThat(plan.access().at("x", 7, "a b").user()).isEqualTo("installer");
  }
}
