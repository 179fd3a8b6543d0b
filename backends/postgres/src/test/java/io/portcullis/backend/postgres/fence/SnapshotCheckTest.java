package io.portcullis.backend.postgres.fence;

import static io.portcullis.backend.postgres.fence.FenceFixture.HASTY;
import static io.portcullis.backend.postgres.fence.FenceFixture.now;
import static java.sql.Connection.TRANSACTION_READ_COMMITTED;
import static java.sql.Connection.TRANSACTION_READ_UNCOMMITTED;
import static java.sql.Connection.TRANSACTION_REPEATABLE_READ;
import static java.sql.Connection.TRANSACTION_SERIALIZABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.portcullis.backend.postgres.SharedPostgres;
import io.portcullis.election.fence.EpochFence;
import io.portcullis.election.fence.EpochFence.FenceState;
import io.portcullis.servers.PostgresServer;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How the check treats transactions with an old snapshot, without locking the fence's row. */
class SnapshotCheckTest {
  private static final String STALE = "PCF01";
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

  private static String state(ThrowingCallable call) {
    SQLException failure = catchThrowableOfType(SQLException.class, call);
    return String.valueOf(Objects.requireNonNull(failure, "it passed").getSQLState());
  }

  private String locksOf(AppSession app) {
    return server.query(
        "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = " + app.pid());
  }

  static Stream<Arguments> isolationsAndAccessModes() {
    return IntStream.of(
            TRANSACTION_READ_UNCOMMITTED,
            TRANSACTION_READ_COMMITTED,
            TRANSACTION_REPEATABLE_READ,
            TRANSACTION_SERIALIZABLE)
        .boxed()
        .flatMap(each -> Stream.of(arguments(each, false), arguments(each, true)));
  }

  private static boolean keepsItsSnapshot(int isolation) {
    return isolation >= TRANSACTION_REPEATABLE_READ;
  }

  @ParameterizedTest
  @MethodSource("isolationsAndAccessModes")
  void frozenTransactionIsRefusedAfterATakeover(int isolation, boolean readOnly) throws Exception {
    try (AppSession app = place.app(isolation)) {
      app.connection().setReadOnly(readOnly);
      app.query("SELECT count(*) FROM pg_class"); // Takes its snapshot.
      place.install(6, "b");

      assertThat(state(() -> app.check(5, "a")))
          .isEqualTo(keepsItsSnapshot(isolation) ? OLD_SNAPSHOT : STALE);
      app.connection().rollback();
      assertThat(state(() -> app.check(5, "a"))).isEqualTo(STALE);
    }
  }

  @ParameterizedTest
  @MethodSource("isolationsAndAccessModes")
  void takeoverWaitsForACheckedTransaction(int isolation, boolean readOnly) throws Exception {
    try (AppSession app = place.app(isolation);
        EpochFence fence = place.open(HASTY)) {
      app.connection().setReadOnly(readOnly);
      app.check(5, "a");
      assertThat(locksOf(app)).isEqualTo("1");

      assertThat(now(fence.install(6, "b"))).isEqualTo(new FenceState(6, "b"));

      app.awaitTermination(); // Its grace period was over, so it was terminated.
    }
  }

  @ParameterizedTest
  @MethodSource("isolationsAndAccessModes")
  void frozenTransactionThatMayWriteBecomesReadOnly(int isolation, boolean readOnly)
      throws Exception {
    try (AppSession app = place.app(isolation)) {
      app.connection().setReadOnly(readOnly);
      app.query("SELECT count(*) FROM pg_class");
      place.install(6, "b");

      app.check(5, "a", true);

      assertThat(app.query("SHOW transaction_read_only")).isEqualTo("on");
    }
  }

  @ParameterizedTest
  @ValueSource(
      ints = {TRANSACTION_READ_COMMITTED, TRANSACTION_REPEATABLE_READ, TRANSACTION_SERIALIZABLE})
  void readOnlyTransactionThatCallsFunctionsDelaysNoTakeover(int isolation) throws Exception {
    try (AppSession app = place.app(isolation)) {
      app.connection().setReadOnly(true);
      app.check(5, "a", true);
      assertThat(locksOf(app)).isEqualTo("0");

      place.install(6, "b");

      assertThat(app.isAlive()).isTrue();
      assertThat(app.query("SHOW transaction_read_only")).isEqualTo("on");
    }
  }

  @Test
  void snapshotOlderThanOwnInstallationMustBeRetried() throws Exception {
    try (AppSession app = place.app(TRANSACTION_REPEATABLE_READ)) {
      app.query("SELECT count(*) FROM pg_class");
      place.install(6, "b");

      assertThat(state(() -> app.check(6, "b"))).isEqualTo(OLD_SNAPSHOT);
      app.connection().rollback();
      app.check(6, "b");
    }
  }

  @ParameterizedTest
  @ValueSource(
      ints = {TRANSACTION_READ_COMMITTED, TRANSACTION_REPEATABLE_READ, TRANSACTION_SERIALIZABLE})
  void concurrentWritersMakeNoMultixacts(int isolation) throws Exception {
    String before = nextMultixact();
    List<AppSession> writers = new ArrayList<>();
    try {
      for (int i = 0; i < 8; i++) {
        writers.add(place.app(isolation));
      }
      for (int round = 0; round < 3; round++) {
        for (AppSession writer : writers) {
          writer.check(5, "a");
        }
        for (AppSession writer : writers) {
          writer.connection().commit();
        }
      }
    } finally {
      for (AppSession writer : writers) {
        writer.close();
      }
    }

    assertThat(nextMultixact()).isEqualTo(before);
    assertThat(xmax()).isEqualTo("0"); // No transaction locked the row.
  }

  private String nextMultixact() {
    server.execute("CHECKPOINT");
    return server.query("SELECT next_multixact_id FROM pg_control_checkpoint()");
  }

  private String xmax() {
    return server.query(
        "SELECT xmax FROM " + place.table() + " WHERE scope = '" + place.scope() + "'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "BEGIN; UPDATE %s SET epoch = epoch + 1; ROLLBACK",
        "SELECT 1 FROM %s FOR SHARE",
        "INSERT INTO %1$s SELECT scope, epoch, holder, installed FROM %1$s"
            + " ON CONFLICT (scope) DO UPDATE SET epoch = excluded.epoch",
      })
  void nextReadRefreshesRowThatOldSnapshotsReject(String spoils) throws Exception {
    server.execute(spoils.formatted(place.table()));
    try (AppSession committed = place.app(TRANSACTION_READ_COMMITTED);
        AppSession app = place.app(TRANSACTION_REPEATABLE_READ);
        EpochFence fence = place.open()) {
      committed.check(5, "a");
      assertThat(state(() -> app.check(5, "a"))).isEqualTo(OLD_SNAPSHOT);
      app.connection().rollback();
      assertThat(state(() -> app.check(4, "a"))).isEqualTo(STALE);
      app.connection().rollback();

      assertThat(now(fence.read())).isEqualTo(new FenceState(5, "a"));

      app.check(5, "a");
      assertThat(committed.isAlive()).isTrue();
      assertThat(xmax()).isEqualTo("0");
    }
  }

  @Test
  void readingTheFenceDoesNotWaitForRowLock() throws Exception {
    try (AppSession other = place.app(TRANSACTION_READ_COMMITTED);
        AppSession app = place.app(TRANSACTION_REPEATABLE_READ);
        EpochFence fence = place.open()) {
      other.execute("SELECT 1 FROM " + place.table() + " FOR UPDATE");

      assertThat(now(fence.read())).isEqualTo(new FenceState(5, "a"));
      assertThat(other.isAlive()).isTrue();
      other.connection().commit();

      assertThat(now(fence.read())).isEqualTo(new FenceState(5, "a"));
      app.check(5, "a");
    }
  }

  /** An installation in progress may still be rolled back. */
  @Test
  void readDuringAnInstallationLeavesTheRowAlone() throws Exception {
    try (AppSession installer = place.app(TRANSACTION_READ_COMMITTED);
        EpochFence fence = place.open()) {
      installer.execute(
          "SELECT pg_advisory_xact_lock(hashtextextended('portcullis_fence:"
              + place.scope()
              + "', 0))");
      installer.execute("UPDATE " + place.table() + " SET epoch = 6, holder = 'b'");

      assertThat(now(fence.read())).isEqualTo(new FenceState(5, "a"));
      installer.connection().commit();

      assertThat(now(fence.read())).isEqualTo(new FenceState(6, "b"));
      assertThat(xmax()).isEqualTo("0");
    }
  }
}
