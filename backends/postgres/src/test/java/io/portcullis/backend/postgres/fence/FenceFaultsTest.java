package io.portcullis.backend.postgres.fence;

import static io.portcullis.backend.postgres.fence.FenceFixture.HASTY;
import static io.portcullis.backend.postgres.fence.FenceFixture.LONG;
import static io.portcullis.backend.postgres.fence.FenceFixture.PATIENT;
import static io.portcullis.backend.postgres.fence.FenceFixture.failureMessage;
import static io.portcullis.backend.postgres.fence.FenceFixture.now;
import static java.sql.Connection.TRANSACTION_READ_COMMITTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.portcullis.election.fence.EpochFence;
import io.portcullis.election.fence.EpochFence.FenceState;
import io.portcullis.servers.PostgresServer;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The server stops, is killed, restarts, or is the wrong one. */
@Tag("slow")
class FenceFaultsTest {
  private static PostgresServer server;

  @BeforeAll
  static void start() {
    server = PostgresServer.startLocal("synchronous_commit = off", "max_prepared_transactions = 2");
    assumeTrue(server.isControllable());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private FenceFixture place;

  @BeforeEach
  void choosePlace() {
    place = FenceFixture.on(server);
  }

  @Test
  void installedEpochSurvivesAnImmediateCrash() {
    try (EpochFence fence = place.open()) {
      for (int epoch = 1; epoch <= 3; epoch++) {
        now(fence.install(epoch, "a"));
        server.kill();
        server.restart();

        assertThat(now(fence.read())).isEqualTo(new FenceState(epoch, "a"));
      }
    }
  }

  @Test
  void unreachableServerIsReportedAndFoundAgain() {
    place.install(1, "a");
    try (EpochFence fence = place.open()) {
      now(fence.read());
      server.stop();

      assertThat(failureMessage(fence.read())).contains("can't be reached", server.url());
      assertThat(failureMessage(fence.install(2, "a"))).contains("can't be reached");
      server.restart();

      assertThat(now(fence.install(2, "a"))).isEqualTo(new FenceState(2, "a"));
    }
  }

  @Test
  void silentServerIsAbandonedAfterTheTimeout() {
    place.install(1, "a");
    try (EpochFence fence = place.open()) {
      now(fence.read());
      server.pause();
      String message = failureMessage(fence.read());
      server.resume();

      assertThat(message).contains("can't be reached");
      assertThat(now(fence.read())).isEqualTo(new FenceState(1, "a"));
    }
  }

  @Test
  void onlyOneReadOfASilentServerIsQueued() {
    place.install(1, "a");
    try (EpochFence fence = place.open()) {
      now(fence.read());
      server.pause();
      fence.read(); // This one is in progress, sooner or later.
      Set<CompletionStage<FenceState>> inLine = new HashSet<>();
      for (int i = 0; i < 100; i++) {
        inLine.add(fence.read());
      }
      server.resume();

      assertThat(inLine).hasSizeLessThanOrEqualTo(2);
      inLine.forEach(answer -> assertThat(now(answer)).isEqualTo(new FenceState(1, "a")));
    }
  }

  @Test
  void installationReplacedByALaterOneIsSkipped() throws Exception {
    place.install(1, "a");
    try (AppSession old = place.app(TRANSACTION_READ_COMMITTED);
        EpochFence fence = place.open(PATIENT)) {
      old.check(1, "a");
      CompletionStage<FenceState> blocked = fence.install(2, "b");
      await()
          .atMost(LONG)
          .until(() -> !server.query("SELECT 1 FROM pg_locks WHERE NOT granted").isEmpty());
      CompletionStage<FenceState> late = fence.install(3, "b");
      CompletionStage<FenceState> last = fence.install(4, "b");
      old.connection().commit();

      assertThat(now(blocked)).isEqualTo(new FenceState(2, "b"));
      assertThat(failureMessage(late)).contains("epoch 3 was superseded");
      assertThat(now(last)).isEqualTo(new FenceState(4, "b"));
    }
  }

  @Test
  void terminatedSessionIsReplacedSilently() {
    place.install(1, "a");
    try (EpochFence fence = place.open()) {
      now(fence.read());
      server.execute(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE"
              + " 'portcullis fence "
              + place.scope()
              + "%'");

      assertThat(now(fence.install(2, "a"))).isEqualTo(new FenceState(2, "a"));
    }
  }

  @Test
  void backendThatCannotBeTerminatedIsReported() throws Exception {
    place.install(1, "a");
    try (AppSession old = place.app(TRANSACTION_READ_COMMITTED);
        EpochFence fence = place.open(HASTY)) {
      old.check(1, "a");
      server.pauseBackend(old.pid());
      String message = failureMessage(fence.install(2, "b"));
      server.resumeBackend(old.pid());

      assertThat(message).contains("backend " + old.pid(), "are still running");
      assertThat(now(fence.install(2, "b"))).isEqualTo(new FenceState(2, "b"));
    }
  }

  @Test
  void preparedTransactionThatHoldsTheLockIsReported() throws Exception {
    place.install(1, "a");
    try (AppSession old = place.app(TRANSACTION_READ_COMMITTED);
        EpochFence fence = place.open(HASTY)) {
      old.execute("CREATE TABLE p_" + place.table().table() + " (n int)");
      old.check(1, "a");
      old.execute("PREPARE TRANSACTION '" + place.scope() + "'");
      String message = failureMessage(fence.install(2, "b"));
      server.execute("ROLLBACK PREPARED '" + place.scope() + "'");

      assertThat(message).contains("prepared transaction", "ROLLBACK PREPARED");
      assertThat(now(fence.install(2, "b"))).isEqualTo(new FenceState(2, "b"));
    }
  }

  @Test
  void replicaIsRefusedUntilItIsPromoted() {
    place.install(1, "a");
    try (PostgresServer replica = server.startReplica();
        EpochFence fence = place.plan(replica.url(), HASTY).open("node")) {
      await()
          .atMost(LONG)
          .until(() -> !replica.query("SELECT to_regclass('" + place.table() + "')").isEmpty());

      assertThat(failureMessage(fence.read())).contains("in recovery", "primary");
      assertThat(failureMessage(fence.install(2, "a"))).contains("in recovery");
      replica.promote();

      assertThat(now(fence.install(2, "a"))).isEqualTo(new FenceState(2, "a"));
    }
  }

  @Test
  void rejectedRoleIsReported() {
    try (EpochFence fence = place.as("nobody_at_all").open()) {
      assertThat(failureMessage(fence.read())).contains("nobody_at_all", "check the fence's user");
    }
  }
}
