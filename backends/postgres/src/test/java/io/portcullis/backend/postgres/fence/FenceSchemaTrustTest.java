package io.portcullis.backend.postgres.fence;

import static io.portcullis.backend.postgres.fence.FenceFixture.failureMessage;
import static io.portcullis.backend.postgres.fence.FenceFixture.now;
import static java.sql.Connection.TRANSACTION_READ_COMMITTED;
import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.backend.postgres.SharedPostgres;
import io.portcullis.backend.postgres.fence.PostgresFence.FenceConnector;
import io.portcullis.election.fence.EpochFence;
import io.portcullis.election.fence.EpochFence.FenceState;
import io.portcullis.servers.PostgresServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which tables, functions and schemas a fence trusts. */
@Tag("slow")
class FenceSchemaTrustTest {
  private final PostgresServer server = SharedPostgres.SERVER;
  private final FenceFixture admin = FenceFixture.on(server);
  private final String role = "inst_" + admin.table().table();
  private final FenceFixture place = admin.as(role);

  @BeforeEach
  void createRole() {
    server.execute("CREATE ROLE " + role + " LOGIN NOINHERIT");
    server.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC");
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
  void functionOfARoleThatDoesNotOwnTheTableIsRefused() {
    admin.made();
    String other = "other_" + role;
    server.execute("CREATE ROLE " + other);
    server.execute("GRANT CREATE ON SCHEMA public TO " + other);
    server.execute("GRANT SELECT ON " + admin.table() + " TO " + other);
    server.execute("ALTER FUNCTION " + admin.names().functions().hold() + " OWNER TO " + other);

    String message = failureMessageOf(admin);

    assertThat(message).contains("belongs to role " + other, "could replace it");
    server.execute(remedy(message));
    assertThat(raised(admin, 1)).isEqualTo(new FenceState(1, "a"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "FUNCTION %s_check_2(text, integer, text, boolean) RETURNS void LANGUAGE sql AS ''",
        "FUNCTION %s_check_2(varchar, bigint, varchar, boolean) RETURNS void LANGUAGE sql AS ''",
        "FUNCTION %s_hold_2(text, integer, text) RETURNS void LANGUAGE sql AS ''",
        "PROCEDURE %s_let_go_2(varchar) LANGUAGE sql AS ''"
      })
  void overloadedFunctionIsRefusedUntilItIsDropped(String overload) throws Exception {
    admin.made();
    String other = "other_" + role;
    server.execute("CREATE ROLE " + other + " LOGIN");
    server.execute("GRANT CREATE ON SCHEMA public TO " + other);
    try (AppSession session = admin.as(other).app(TRANSACTION_READ_COMMITTED)) {
      session.execute("CREATE " + overload.formatted(admin.table()));
      session.connection().commit();
    }

    String message = failureMessageOf(admin);

    assertThat(message).contains("role " + other + " created ", "overloads");
    server.execute(message.substring(message.indexOf("DROP ROUTINE")));
    assertThat(raised(admin, 1)).isEqualTo(new FenceState(1, "a"));
  }

  @Test
  void overloadThatIsOlderThanTheTableIsRefused() {
    server.execute(
        "CREATE FUNCTION "
            + admin.table()
            + "_check_2(text, integer, text, boolean) RETURNS void LANGUAGE sql AS ''");

    assertThat(failureMessageOf(admin)).contains("overloads a function of the fence");
  }

  @Test
  void tableOfAnotherAccessMethodIsRefused() {
    String method = "am_" + place.table().table();
    server.execute("CREATE ACCESS METHOD " + method + " TYPE TABLE HANDLER heap_tableam_handler");
    server.execute(admin.names().tableDefinition().replace("USING heap", "USING " + method));

    assertThat(failureMessageOf(admin)).contains("access method " + method, "needs heap");
  }

  @Test
  void installerCreatesSchemaOnFirstUseIfPermitted() throws Exception {
    server.execute("GRANT CREATE ON DATABASE postgres TO " + role);
    server.execute("CREATE ROLE app_" + role + " LOGIN");
    FenceFixture own = place.in("own_" + role);

    assertThat(raised(own, 3)).isEqualTo(new FenceState(3, "a"));

    try (AppSession app = own.as("app_" + role).app(TRANSACTION_READ_COMMITTED)) {
      app.check(3, "a");
    }
  }

  /** Nodes that still use it would not be stopped by a new fence elsewhere. */
  @Test
  void earlierTableOnTheSearchPathIsNotIgnored() {
    admin.made();

    assertThat(failureMessageOf(admin.in(FenceDdl.OWN_SCHEMA)))
        .contains("Write table = " + admin.table() + " in the fence");
    assertThat(server.query("SELECT to_regnamespace('portcullis') IS NULL")).isEqualTo("t");
  }

  @Test
  void schemaInWhichEveryRoleMayCreateIsReported() throws Exception {
    server.execute("CREATE SCHEMA wide_" + role);
    FenceFixture wide = admin.in("wide_" + role).made();
    try (AppSession session = wide.app(TRANSACTION_READ_COMMITTED)) {
      assertThat(FenceConnector.warnings(session.connection(), wide.names())).isEmpty();
      server.execute("GRANT CREATE ON SCHEMA wide_" + role + " TO PUBLIC");

      assertThat(FenceConnector.warnings(session.connection(), wide.names()))
          .singleElement()
          .asString()
          .contains("REVOKE CREATE ON SCHEMA wide_" + role + " FROM PUBLIC");
    }
  }

  /** Any role that may create tables in the schema could have created it before the set-up. */
  @Test
  void tableOfAnotherLoginRoleIsRefused() {
    String other = "other_" + role;
    server.execute("CREATE ROLE " + other + " LOGIN");
    server.execute("GRANT CREATE ON SCHEMA public TO " + other + ", " + role);
    server.execute(place.names().tableDefinition());
    server.execute("ALTER TABLE " + place.table() + " OWNER TO " + other);
    server.execute("GRANT SELECT, INSERT, UPDATE ON " + place.table() + " TO " + role);

    String message = failureMessageOf(place);

    assertThat(message).contains("belongs to role " + other);
    assertThat(failureMessageOf(admin)).contains("belongs to role " + other); // A superuser's, too.
    server.execute(remedy(message));
    assertThat(raised(place, 1)).isEqualTo(new FenceState(1, "a"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TRIGGER x BEFORE UPDATE ON %s FOR EACH ROW"
            + " EXECUTE FUNCTION suppress_redundant_updates_trigger()",
        "CREATE RULE x AS ON UPDATE TO %s DO ALSO NOTHING",
        "ALTER TABLE %s ADD CONSTRAINT x CHECK (epoch > 0)",
        "ALTER TABLE %s ADD COLUMN x text DEFAULT current_user",
        "CREATE INDEX ON %s (upper(holder))",
        "CREATE TABLE %1$s_child () INHERITS (%1$s)",
      })
  void tableThatRunsItsOwnCodeIsRefused(String addition) {
    admin.made();
    assertThat(raised(admin, 1)).isEqualTo(new FenceState(1, "a"));
    server.execute(addition.formatted(admin.table()));

    assertThat(failureMessageOf(admin)).contains("table " + admin.table() + " has a ", "drop it");
  }
}
