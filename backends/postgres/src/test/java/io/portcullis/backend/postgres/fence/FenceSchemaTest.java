package io.portcullis.backend.postgres.fence;

import static io.portcullis.backend.postgres.fence.FenceFixture.failureMessage;
import static io.portcullis.backend.postgres.fence.FenceFixture.now;
import static java.sql.Connection.TRANSACTION_READ_COMMITTED;
import static java.sql.Connection.TRANSACTION_REPEATABLE_READ;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.backend.postgres.SharedPostgres;
import io.portcullis.backend.postgres.jdbc.TableName;
import io.portcullis.election.fence.EpochFence;
import io.portcullis.election.fence.EpochFence.FenceState;
import io.portcullis.servers.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The objects and rights that a fence needs. */
class FenceSchemaTest {
  private final PostgresServer server = SharedPostgres.SERVER;
  private final FenceFixture admin = FenceFixture.on(server);
  private final String role = "inst_" + admin.table().table();
  private final FenceFixture place = admin.as(role);

  @BeforeEach
  void createRole() {
    server.execute("CREATE ROLE " + role + " LOGIN NOINHERIT");
    server.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC");
  }

  private void grant(String rights) {
    server.execute("GRANT " + rights + " ON " + place.table() + " TO " + role);
  }

  /** The remedy for administrators. */
  private void setUp(FenceFixture where) {
    server.execute(String.join(";\n", where.plan(FenceFixture.HASTY).setUp()));
  }

  /** It has to fit in one log line and one field of the status page. */
  private static void assertShort(String message) {
    assertThat(message)
        .contains("fence-sql", "docs/fencing.md")
        .doesNotContain("\n", "CREATE ", "plpgsql")
        .hasSizeLessThan(500);
  }

  private static String remedy(String message) {
    return message.substring(message.indexOf("Run: ") + 5);
  }

  private static String failureMessageOf(FenceFixture place) {
    try (EpochFence fence = place.open()) {
      return failureMessage(fence.read());
    }
  }

  private static FenceState raised(FenceFixture place, long epoch) {
    try (EpochFence fence = place.open()) {
      return now(fence.install(epoch, "a"));
    }
  }

  @Test
  void roleWithRightsCreatesTableAndFunctions() {
    server.execute("CREATE SCHEMA " + role + " AUTHORIZATION " + role);
    FenceFixture bare = place.bare(); // Found by the search path, where its schema comes first.

    assertThat(raised(bare, 3)).isEqualTo(new FenceState(3, "a"));

    try (EpochFence fence = bare.open()) {
      now(fence.read());
      assertThat(fence.functions())
          .isEqualTo(new FenceTable(role, place.table().table()).functions());
    }
  }

  @Test
  void concurrentFirstNodesCreateTheFenceOnce() {
    try (EpochFence one = admin.open();
        EpochFence two = admin.open();
        EpochFence three = admin.open()) {
      var answers =
          java.util.List.of(one.install(1, "a"), two.install(2, "b"), three.install(3, "c"));

      answers.forEach(FenceFixture::now);

      assertThat(now(one.read())).isEqualTo(new FenceState(3, "c"));
    }
  }

  @Test
  void missingRightsErrorNamesTheFenceSqlCommand() {
    String message = failureMessageOf(place);

    assertThat(message).contains("there is no table " + place.table(), "role " + role);
    assertShort(message);
    setUp(place);
    assertThat(raised(place, 1)).isEqualTo(new FenceState(1, "a"));
  }

  @Test
  void missingFunctionsAreCreatedByTheSameStatements() {
    server.execute(place.names().tableDefinition());
    grant("SELECT, INSERT, UPDATE");

    String message = failureMessageOf(place);

    assertThat(message).contains("functions of table " + place.table() + " are missing");
    assertShort(message);
    setUp(place);
    assertThat(raised(place, 1)).isEqualTo(new FenceState(1, "a"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"SELECT", "INSERT", "UPDATE"})
  void missingRightIsReportedWithItsGrantStatement(String missing) {
    admin.made();
    grant("SELECT, INSERT, UPDATE");
    server.execute("REVOKE " + missing + " ON " + place.table() + " FROM " + role);

    String message = failureMessageOf(place);

    assertThat(message).contains("role " + role + " lacks " + missing + " ON " + place.table());
    server.execute(remedy(message));
    assertThat(raised(place, 1)).isEqualTo(new FenceState(1, "a"));
  }

  @Test
  void schemaWithoutUsageRightIsReported() {
    server.execute("CREATE SCHEMA closed_" + role);

    assertThat(failureMessageOf(place.in("closed_" + role)))
        .contains("GRANT USAGE ON SCHEMA closed_" + role);
  }

  @Test
  void missingSchemaIsCreatedByTheSameStatements() {
    FenceFixture nowhere = place.in("no_such_" + role);
    assertShort(failureMessageOf(nowhere));

    setUp(nowhere);

    assertThat(raised(nowhere, 1)).isEqualTo(new FenceState(1, "a"));
  }

  @Test
  void tableFoundOnTheSearchPathNeedsItsSchema() {
    server.execute("CREATE SCHEMA shut_" + role);
    server.execute("GRANT USAGE ON SCHEMA shut_" + role + " TO " + role);
    server.execute("ALTER ROLE " + role + " SET search_path = shut_" + role);

    assertThat(failureMessageOf(place.bare()))
        .contains("Write table = shut_" + role + "." + place.table().table() + " in the fence.");
  }

  @Test
  void statementsCanBeRepeatedWithoutEffect() {
    setUp(place);
    assertThat(raised(place, 5)).isEqualTo(new FenceState(5, "a"));

    setUp(place);

    assertThat(raised(place, 5)).isEqualTo(new FenceState(5, "a"));
  }

  @Test
  void unloggedTableIsRefused() {
    admin.made();
    server.execute("ALTER TABLE " + admin.table() + " SET UNLOGGED");

    String message = failureMessageOf(admin);

    assertThat(message).contains("not logged");
    server.execute(remedy(message));
    assertThat(raised(admin, 1)).isEqualTo(new FenceState(1, "a"));
  }

  @Test
  void viewAndTableWithRowSecurityAreRefused() {
    server.execute("CREATE VIEW " + admin.table() + " AS SELECT 1");
    assertThat(failureMessageOf(admin)).contains("not an ordinary table");
    server.execute("DROP VIEW " + admin.table());
    admin.made();
    server.execute("ALTER TABLE " + admin.table() + " ENABLE ROW LEVEL SECURITY");

    assertThat(failureMessageOf(admin)).contains("row-level security");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE OR REPLACE FUNCTION %s(scope text, epoch bigint, holder text, maybe boolean)"
            + " RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS 'BEGIN END'",
        "ALTER FUNCTION %s SECURITY INVOKER",
        "ALTER FUNCTION %s STABLE",
        "ALTER FUNCTION %s SET search_path = public"
      })
  void functionWithAnotherBodyIsRefused(String change) {
    admin.made();
    server.execute(change.formatted(admin.names().functions().check()));

    String message = failureMessageOf(admin);

    assertThat(message).contains("_check_2", "differs from the required definition");
    assertShort(message);
    setUp(admin);
    assertThat(raised(admin, 1)).isEqualTo(new FenceState(1, "a"));
  }

  @Test
  void functionWhoseOwnerMayNotReadTheTableIsRefused() {
    admin.made();
    String owner = "poor_" + role;
    server.execute("CREATE ROLE " + owner);
    server.execute("GRANT CREATE ON SCHEMA public TO " + owner);
    server.execute("ALTER TABLE " + admin.table() + " OWNER TO " + owner);
    server.execute("ALTER FUNCTION " + admin.names().functions().check() + " OWNER TO " + owner);
    server.execute("REVOKE SELECT ON " + admin.table() + " FROM " + owner);

    String message = failureMessageOf(admin);

    assertThat(message).contains("runs as its owner");
    server.execute(remedy(message));
    assertThat(raised(admin, 1)).isEqualTo(new FenceState(1, "a"));
  }

  /** The block of SQL in the documentation that begins like this. */
  private static String documented(String begin) throws IOException {
    String page = Files.readString(Path.of("../../docs/fencing.md"));
    Matcher block =
        Pattern.compile("```sql\\n(%s .*?)```".formatted(begin), Pattern.DOTALL).matcher(page);
    assertThat(block.find()).isTrue();
    return block.group(1);
  }

  private static String withoutBlanks(String sql) {
    return sql.replaceAll("\\s|;", "");
  }

  @Test
  void documentedTableIsTheInstalledOne() throws IOException {
    FenceTable table = new FenceTable("portcullis", "portcullis_fence");

    assertThat(withoutBlanks(documented("CREATE TABLE")))
        .isEqualTo(withoutBlanks(table.tableDefinition()));
  }

  /** The tests of module fencing run against this copy. */
  @Test
  void copyOfTheSqlInFencingTestsIsTheInstalledOne() throws IOException {
    FenceTable table = new FenceTable("portcullis", "portcullis_fence");
    StringBuilder installed = new StringBuilder(table.tableDefinition());
    table.allFunctions().forEach(function -> installed.append(function.definition()));
    String copy =
        Files.readString(
            Path.of("../../fencing/src/test/resources/io/portcullis/fencing/protocol/fence.sql"));

    assertThat(withoutBlanks(copy)).isEqualTo(withoutBlanks(installed.toString()));
  }

  /** The documented owners and rights, for names of this test. */
  private String documentedRights() throws IOException {
    return documented("ALTER TABLE")
        .replace("portcullis_fence", place.table().table())
        .replaceAll("\\bportcullis\\b", "ops_" + role)
        .replace("portcullis_owner", "owner_" + role)
        .replace("portcullis_installer", role)
        .replace("orders_app", "app_" + role);
  }

  @Test
  void documentedManualSetUpGrantsAllNeededRights() throws Exception {
    server.execute("CREATE ROLE app_" + role + " LOGIN NOINHERIT");
    server.execute("CREATE ROLE owner_" + role);
    FenceFixture byHand = place.in("ops_" + role);
    setUp(byHand);
    server.execute(documentedRights());

    assertThat(raised(byHand, 7)).isEqualTo(new FenceState(7, "a"));

    FenceFixture app = byHand.as("app_" + role);
    for (int isolation : new int[] {TRANSACTION_READ_COMMITTED, TRANSACTION_REPEATABLE_READ}) {
      try (AppSession session = app.app(isolation)) {
        session.check(7, "a");
        assertThatThrownBy(() -> session.execute("SELECT * FROM " + byHand.table()))
            .hasMessageContaining("permission denied");
        session.connection().rollback();
        session.check(7, "a");

        assertThat(raised(byHand, isolation + 7)).isNotNull(); // Ends the session of another role.
        session.awaitTermination();
      }
      server.execute("UPDATE " + byHand.table() + " SET epoch = 7");
    }
  }

  @Test
  void missingRightToTerminateIsReportedWithItsGrant() throws Exception {
    admin.made();
    grant("SELECT, INSERT, UPDATE");
    server.execute("CREATE ROLE app_" + role + " LOGIN");
    admin.install(1, "a");
    try (AppSession old = admin.as("app_" + role).app(TRANSACTION_READ_COMMITTED);
        EpochFence fence = place.open()) {
      old.check(1, "a");

      String message = failureMessage(fence.install(2, "b"));

      assertThat(message)
          .contains("backend " + old.pid(), "app_" + role, "GRANT pg_signal_backend");
      assertThat(now(fence.read())).isEqualTo(new FenceState(1, "a"));
      old.connection().commit();
      assertThat(now(fence.install(2, "b"))).isEqualTo(new FenceState(2, "b"));
    }
  }

  @Test
  void fenceWorksWithAnyDefaultsOfTheRole() {
    admin.made();
    grant("SELECT, INSERT, UPDATE");
    server.execute("ALTER ROLE " + role + " SET default_transaction_isolation = serializable");
    server.execute("ALTER ROLE " + role + " SET default_transaction_read_only = on");
    server.execute("ALTER ROLE " + role + " SET synchronous_commit = off");
    server.execute("ALTER ROLE " + role + " SET search_path = ''");

    assertThat(raised(place, 4)).isEqualTo(new FenceState(4, "a"));
    assertThat(raised(place, 5)).isEqualTo(new FenceState(5, "a"));
  }

  @Test
  void reservedWordAsTableNameWorks() {
    server.execute("CREATE SCHEMA \"order_" + role + "\"");
    FenceFixture odd =
        new FenceFixture(server, "postgres", TableName.parse("order_" + role + ".select"), "s");

    assertThat(raised(odd, 1)).isEqualTo(new FenceState(1, "a"));
  }
}
