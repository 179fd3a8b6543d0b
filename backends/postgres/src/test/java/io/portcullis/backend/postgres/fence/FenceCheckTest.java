package io.portcullis.backend.postgres.fence;

import static io.portcullis.backend.postgres.fence.FenceFixture.HASTY;
import static io.portcullis.backend.postgres.fence.FenceFixture.now;
import static java.sql.Connection.TRANSACTION_READ_COMMITTED;
import static java.sql.Connection.TRANSACTION_READ_UNCOMMITTED;
import static java.sql.Connection.TRANSACTION_REPEATABLE_READ;
import static java.sql.Connection.TRANSACTION_SERIALIZABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.portcullis.backend.postgres.SharedPostgres;
import io.portcullis.election.fence.EpochFence;
import io.portcullis.election.fence.EpochFence.FenceState;
import io.portcullis.servers.PostgresServer;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the functions in the database compare. */
class FenceCheckTest {
  private static final String STALE = "PCF01";
  private static final String FORGOTTEN = "PCF02";
  private static final String OLD_SNAPSHOT = "40001";

  private final PostgresServer server = server();
  private final FenceFixture place = FenceFixture.on(server);

  PostgresServer server() {
    return SharedPostgres.SERVER;
  }

  @BeforeEach
  void install() {
    place.install(5, "a");
  }

  private static SQLException failure(ThrowingCallable call) {
    SQLException failure = catchThrowableOfType(SQLException.class, call);
    return Objects.requireNonNull(failure, "it passed");
  }

  private static String state(ThrowingCallable call) {
    return String.valueOf(failure(call).getSQLState());
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        TRANSACTION_READ_UNCOMMITTED,
        TRANSACTION_READ_COMMITTED,
        TRANSACTION_REPEATABLE_READ,
        TRANSACTION_SERIALIZABLE
      })
  void onlyTheInstalledEpochAndHolderPass(int isolation) throws Exception {
    try (AppSession app = place.app(isolation)) {
      app.check(5, "a");
      app.connection().commit();

      assertThat(state(() -> app.check(4, "a"))).isEqualTo(STALE);
      app.connection().rollback();
      assertThat(state(() -> app.check(5, "b"))).isEqualTo(STALE);
      app.connection().rollback();
      assertThat(state(() -> app.check(6, "a"))).isEqualTo(FORGOTTEN);
      app.connection().rollback();
      assertThat(state(() -> app.check(0, "a"))).isEqualTo(STALE);
      app.connection().rollback();
      app.check(5, "a");
    }
  }

  @Test
  void messageNamesScopeEpochsAndHolder() throws Exception {
    try (AppSession app = place.app(TRANSACTION_READ_COMMITTED)) {
      assertThat(failure(() -> app.check(4, "z")).getMessage())
          .contains("fence " + place.scope() + " has epoch 5 by a", "epoch 4 of z");
    }
  }

  @Test
  void missingRowIsReportedToALeaderAndRefusesAStandby() throws Exception {
    FenceFixture empty = new FenceFixture(server, "postgres", place.table(), "without-a-row");
    try (AppSession app = empty.app(TRANSACTION_READ_COMMITTED)) {
      assertThat(state(() -> app.check(1, "a"))).isEqualTo(FORGOTTEN);
      app.connection().rollback();
      assertThat(state(() -> app.check(0, "a"))).isEqualTo(STALE);
    }
  }

  @Test
  void nullArgumentsNeverPass() throws Exception {
    try (AppSession app = place.app(TRANSACTION_READ_COMMITTED)) {
      String check = "SELECT " + place.names().functions().check();
      for (String arguments :
          new String[] {
            "(NULL, 5, 'a', false)",
            "('" + place.scope() + "', NULL, 'a', false)",
            "('" + place.scope() + "', 5, NULL, false)",
            "('" + place.scope() + "', 4, 'a', NULL)"
          }) {
        assertThat(state(() -> app.execute(check + arguments))).startsWith("PCF");
        app.connection().rollback();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      ints = {TRANSACTION_READ_COMMITTED, TRANSACTION_REPEATABLE_READ, TRANSACTION_SERIALIZABLE})
  void readerOnAStandbyContinuesThroughATakeover(int isolation) throws Exception {
    try (AppSession app = place.app(isolation)) {
      app.check(0, "z", true);
      assertThat(app.query("SHOW transaction_read_only")).isEqualTo("on");

      place.install(6, "b");

      assertThat(app.isAlive()).isTrue();
      assertThat(app.query("SHOW transaction_read_only")).isEqualTo("on");
    }
  }

  @ParameterizedTest
  @ValueSource(
      ints = {TRANSACTION_READ_COMMITTED, TRANSACTION_REPEATABLE_READ, TRANSACTION_SERIALIZABLE})
  void uncheckedTransactionContinuesReadOnly(int isolation) throws Exception {
    server.execute("CREATE TABLE w_" + place.table().table() + " (n int)");
    try (AppSession app = place.app(isolation)) {
      app.check(4, "a", true);

      assertThat(app.query("SELECT count(*) FROM w_" + place.table().table())).isEqualTo("0");
      assertThat(state(() -> app.execute("INSERT INTO w_" + place.table().table() + " VALUES (1)")))
          .isEqualTo("25006");
      app.connection().rollback();

      app.check(5, "a", true);
      app.execute("INSERT INTO w_" + place.table().table() + " VALUES (1)");
      app.connection().commit();
      app.check(0, "a", true);
      assertThat(app.query("SHOW transaction_read_only")).isEqualTo("on");
      app.connection().commit();
      assertThat(app.query("SHOW transaction_read_only")).isEqualTo("off");
    }
  }

  @ParameterizedTest
  @ValueSource(
      ints = {TRANSACTION_READ_COMMITTED, TRANSACTION_REPEATABLE_READ, TRANSACTION_SERIALIZABLE})
  void readOnlyTransactionCanBeChecked(int isolation) throws Exception {
    try (AppSession app = place.app(isolation)) {
      app.connection().setReadOnly(true);

      app.check(5, "a");
      app.connection().rollback();
      assertThat(state(() -> app.check(4, "a"))).isEqualTo(STALE);
    }
  }

  @Test
  void checkWithinASavepointEndsWithIt() throws Exception {
    try (AppSession app = place.app(TRANSACTION_READ_COMMITTED);
        EpochFence fence = place.open(HASTY)) {
      Savepoint before = app.connection().setSavepoint();
      app.check(5, "a");
      app.connection().rollback(before);

      assertThat(now(fence.install(6, "b"))).isEqualTo(new FenceState(6, "b"));
      assertThat(app.isAlive()).isTrue();
      assertThat(state(() -> app.check(5, "a"))).isEqualTo(STALE);
    }
  }

  @ParameterizedTest
  @ValueSource(
      ints = {TRANSACTION_READ_COMMITTED, TRANSACTION_REPEATABLE_READ, TRANSACTION_SERIALIZABLE})
  void heldLockOutlivesItsTransactionUntilReleased(int isolation) throws Exception {
    try (AppSession app = place.app(isolation)) {
      app.hold(5, "a");
      app.connection().commit();
      assertThat(locksOf(app)).isEqualTo("1");

      app.letGo();
      app.connection().commit();

      assertThat(locksOf(app)).isEqualTo("0");
    }
  }

  private String locksOf(AppSession app) {
    return server.query(
        "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = " + app.pid());
  }

  @ParameterizedTest
  @ValueSource(
      ints = {TRANSACTION_READ_COMMITTED, TRANSACTION_REPEATABLE_READ, TRANSACTION_SERIALIZABLE})
  void refusedHoldKeepsNoLock(int isolation) throws Exception {
    try (AppSession app = place.app(isolation)) {
      assertThat(state(() -> app.hold(4, "a"))).isEqualTo(STALE);
      app.connection().rollback();
      assertThat(state(() -> app.hold(6, "a"))).isEqualTo(FORGOTTEN);
      app.connection().rollback();
      assertThat(locksOf(app)).isEqualTo("0");

      if (isolation != TRANSACTION_READ_COMMITTED) {
        app.query("SELECT count(*) FROM pg_class");
        place.install(6, "b");
        assertThat(state(() -> app.hold(5, "a"))).isEqualTo(OLD_SNAPSHOT);
        app.connection().rollback();
        assertThat(locksOf(app)).isEqualTo("0");
      }
    }
  }

  @Test
  void sessionThatHoldsTheLockTooLongIsTerminated() throws Exception {
    try (AppSession app = place.app(TRANSACTION_READ_COMMITTED);
        EpochFence fence = place.open(HASTY)) {
      app.hold(5, "a");
      app.connection().commit();

      assertThat(now(fence.install(6, "b"))).isEqualTo(new FenceState(6, "b"));
      app.awaitTermination();
    }
  }

  @Test
  void searchPathOfTheCallerDoesNotChangeTheComparison() throws Exception {
    String evil = "evil_" + place.table().table();
    String role = "role_" + place.table().table();
    server.execute("CREATE ROLE " + role + " LOGIN");
    server.execute("CREATE SCHEMA " + evil + " AUTHORIZATION " + role);
    try (AppSession app = place.as(role).app(TRANSACTION_READ_COMMITTED)) {
      for (String types : new String[] {"bigint, bigint", "text, text", "bigint, integer"}) {
        app.execute(
            "CREATE FUNCTION %1$s.yes(%2$s) RETURNS boolean LANGUAGE sql AS 'SELECT true'"
                .formatted(evil, types));
        for (String operator : new String[] {"=", ">", "<>", "<"}) {
          String[] sides = types.split(", ", -1);
          app.execute(
              "CREATE OPERATOR %1$s.%2$s (FUNCTION = %1$s.yes, LEFTARG = %3$s, RIGHTARG = %4$s)"
                  .formatted(evil, operator, sides[0], sides[1]));
        }
      }
      app.execute(
          "CREATE FUNCTION %s.current_setting(text) RETURNS text LANGUAGE sql AS 'SELECT 0::text'"
              .formatted(evil));
      app.execute(
          "CREATE FUNCTION %s.pg_advisory_xact_lock_shared(bigint) RETURNS void LANGUAGE sql AS ''"
              .formatted(evil));
      app.execute(
          "CREATE FUNCTION %s.hashtextextended(text, bigint) RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint'"
              .formatted(evil));
      app.execute("CREATE DOMAIN %s.int8 AS text".formatted(evil));
      app.connection().commit();
      app.execute("CREATE TEMP TABLE " + place.table().table() + " (scope text, epoch bigint)");
      app.execute("SET search_path = %s, pg_temp, pg_catalog".formatted(evil));
      app.connection().commit();

      assertThat(app.query("SELECT 1::bigint = 2::bigint")).isEqualTo("t"); // It is shadowed.
      assertThat(state(() -> app.check(4, "a"))).isEqualTo(STALE);
      app.connection().rollback();
      assertThat(state(() -> app.hold(4, "a"))).isEqualTo(STALE);
      app.connection().rollback();
      app.check(5, "a");
      assertThat(locksOf(app)).isEqualTo("1");
    }
  }
}
