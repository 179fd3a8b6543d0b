package io.portcullis.backend.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.backend.postgres.jdbc.TableName;
import io.portcullis.election.contract.Claimant;
import io.portcullis.election.contract.ContenderPair;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.Granted;
import io.portcullis.election.store.LeaseResponse.Unknown;
import io.portcullis.servers.PostgresServer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rights of docs/postgres.md suffice, and missing ones are reported. */
class PrivilegeCheckTest {
  private static final AtomicInteger ROLES = new AtomicInteger();

  private final PostgresServer server = server();
  private final String role = "app" + ProcessHandle.current().pid() + "_" + ROLES.incrementAndGet();
  private final PostgresFixture asAdmin = PostgresFixture.on(server);
  private final PostgresFixture site = asAdmin.as(server.url(), role);

  PostgresServer server() {
    return SharedPostgres.SERVER;
  }

  /** A role without any rights, not even those that every role has by default. */
  private void createRole() {
    server.execute("CREATE ROLE " + role + " LOGIN NOINHERIT");
    server.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC");
  }

  private void createTable() {
    createRole();
    server.execute(LeaseSql.definition(site.table()));
  }

  private void grant(String rights) {
    server.execute("GRANT " + rights + " ON " + site.table() + " TO " + role);
  }

  private static String refusal(Claimant claimant) {
    LeaseResponse answer = claimant.acquire(claimant.claim());
    assertThat(answer).isInstanceOf(Unknown.class);
    return ((Unknown) answer).why();
  }

  @Test
  void documentedRightsSuffice() throws Exception {
    createTable();
    grant("SELECT, INSERT, UPDATE");

    try (ContenderPair pair = site.pair()) {
      long epoch = pair.epoch();
      pair.first().stepDown();
      pair.awaitLeaderAbove(epoch);
    }
  }

  @Test
  void roleThatMayCreateTheTableCreatesIt() {
    createRole();
    server.execute("CREATE SCHEMA " + role + " AUTHORIZATION " + role); // On its search path.

    try (Claimant a = site.claimant("a")) {
      assertThat(a.lead().epoch()).isPositive();
    }
    assertThat(server.query("SELECT to_regclass('" + role + "." + site.table() + "')"))
        .isNotEmpty();
  }

  @Test
  void missingCreateRightErrorContainsTheStatements() {
    createRole();
    try (Claimant a = site.claimant("a")) {
      String refusal = refusal(a);

      assertThat(refusal).contains("there is no table " + site.table(), "role " + role);
      server.execute(refusal.substring(refusal.indexOf("Run: ") + 5));
      assertThat(a.lead().epoch()).isPositive();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"SELECT", "UPDATE", "INSERT"})
  void missingRightIsReportedWithItsGrantStatement(String missing) {
    createTable();
    grant("SELECT, INSERT, UPDATE");
    server.execute("REVOKE " + missing + " ON " + site.table() + " FROM " + role);
    try (Claimant a = site.claimant("a")) {
      String refusal = refusal(a);

      assertThat(refusal).contains("role " + role + " lacks " + missing + " ON " + site.table());
      server.execute(refusal.substring(refusal.indexOf("Run: ") + 5));
      assertThat(a.lead().epoch()).isPositive();
    }
  }

  @Test
  void rowInsertedByAnOperatorReplacesTheInsertRight() {
    createTable();
    grant("SELECT, UPDATE");
    server.execute(
        "INSERT INTO "
            + site.table()
            + " VALUES ('test', 0, 0, '', NULL, NULL, NULL, 1000, 0, now(), false, '')");

    try (Claimant a = site.claimant("a")) {
      LeaseRecord blank = a.look();
      LeaseResponse atOnce = a.acquire(a.claim());
      Claimant.waitOut(blank);
      LeaseResponse afterwards = a.acquire(a.claim(blank.recordVersion()));

      assertThat(blank.remaining()).isEqualTo(PostgresFixture.LEASE);
      assertThat(atOnce).isNotInstanceOf(Granted.class);
      assertThat(Claimant.granted(afterwards).epoch()).isGreaterThan(1_700_000_000L);
    }
  }

  @Test
  void schemaWithoutUsageRightIsReported() {
    createRole();
    server.execute("CREATE SCHEMA closed_" + role);
    PostgresFixture inside =
        new PostgresFixture(
            server, site.access(), TableName.parse("closed_" + role + ".leaders"), "test");

    try (Claimant a = inside.claimant("a")) {
      assertThat(refusal(a)).contains("GRANT USAGE ON SCHEMA closed_" + role);
    }
  }

  @Test
  void missingSchemaIsReported() {
    PostgresFixture nowhere =
        new PostgresFixture(server, asAdmin.access(), TableName.parse("no_such.leaders"), "test");

    try (Claimant a = nowhere.claimant("a")) {
      assertThat(refusal(a))
          .contains("CREATE SCHEMA IF NOT EXISTS no_such", "CREATE TABLE \"no_such\".\"leaders\"");
    }
  }
}
