package io.portcullis.backend.postgres.fence;

import static io.portcullis.backend.postgres.fence.FenceFixture.HASTY;
import static io.portcullis.backend.postgres.fence.FenceFixture.LONG;
import static io.portcullis.backend.postgres.fence.FenceFixture.PATIENT;
import static io.portcullis.backend.postgres.fence.FenceFixture.failureMessage;
import static io.portcullis.backend.postgres.fence.FenceFixture.now;
import static java.sql.Connection.TRANSACTION_READ_COMMITTED;
import static java.sql.Connection.TRANSACTION_REPEATABLE_READ;
import static java.sql.Connection.TRANSACTION_SERIALIZABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.portcullis.backend.postgres.SharedPostgres;
import io.portcullis.election.fence.EpochFence;
import io.portcullis.election.fence.EpochFence.FenceState;
import io.portcullis.servers.PostgresServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Raising the fence, and the transactions that it waits for. */
@Tag("slow")
class FenceInstallTest {
  private final PostgresServer server = server();
  private final FenceFixture place = FenceFixture.on(server);

  PostgresServer server() {
    return SharedPostgres.SERVER;
  }

  @Test
  void newFenceHasNoEpoch() {
    try (EpochFence fence = place.open()) {
      assertThat(fence.functions()).isNull();
      assertThat(now(fence.read())).isEqualTo(FenceState.NONE);
      assertThat(fence.functions()).isEqualTo(place.names().functions());
    }
  }

  @Test
  void epochOfAFenceNeverFalls() {
    try (EpochFence fence = place.open()) {
      assertThat(now(fence.install(5, "a"))).isEqualTo(new FenceState(5, "a"));
      assertThat(now(fence.install(4, "b"))).isEqualTo(new FenceState(5, "a"));
      assertThat(now(fence.install(6, "b"))).isEqualTo(new FenceState(6, "b"));
      assertThat(now(fence.install(5, "a"))).isEqualTo(new FenceState(6, "b"));
      assertThat(now(fence.read())).isEqualTo(new FenceState(6, "b"));
    }
  }

  @Test
  void repeatedEpochKeepsItsFirstHolder() {
    try (EpochFence fence = place.open()) {
      now(fence.install(5, "a"));

      assertThat(now(fence.install(5, "b"))).isEqualTo(new FenceState(5, "a"));
      assertThat(now(fence.install(5, "a"))).isEqualTo(new FenceState(5, "a"));
    }
  }

  @Test
  void installedEpochIsConfirmedWithoutWaiting() throws Exception {
    place.install(5, "a");
    try (AppSession own = place.app(TRANSACTION_READ_COMMITTED);
        EpochFence fence = place.open(HASTY)) {
      own.check(5, "a");

      assertThat(now(fence.install(5, "a"))).isEqualTo(new FenceState(5, "a"));
      assertThat(now(fence.install(4, "b"))).isEqualTo(new FenceState(5, "a"));

      own.connection().commit();
    }
  }

  @Test
  void electionsInOneTableAreIndependent() {
    FenceFixture other = new FenceFixture(server, "postgres", place.table(), "other");
    place.install(5, "a");
    other.install(3, "b");

    try (EpochFence fence = place.open()) {
      assertThat(now(fence.read())).isEqualTo(new FenceState(5, "a"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      ints = {TRANSACTION_READ_COMMITTED, TRANSACTION_REPEATABLE_READ, TRANSACTION_SERIALIZABLE})
  void installationWaitsForTransactionsOfOlderEpochs(int isolation) throws Exception {
    place.install(1, "a");
    try (AppSession old = place.app(isolation);
        EpochFence fence = place.open(PATIENT)) {
      old.check(1, "a");

      CompletableFuture<FenceState> raised = fence.install(2, "b").toCompletableFuture();
      awaitInstallerWaiting();
      assertThat(raised).isNotDone();
      old.connection().commit();

      assertThat(now(raised)).isEqualTo(new FenceState(2, "b"));
    }
  }

  private void awaitInstallerWaiting() {
    await()
        .atMost(LONG)
        .until(
            () ->
                server
                    .query(
                        "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                            + " AND application_name LIKE 'portcullis fence "
                            + place.scope()
                            + "%'")
                    .equals("1"));
  }

  @ParameterizedTest
  @ValueSource(
      ints = {TRANSACTION_READ_COMMITTED, TRANSACTION_REPEATABLE_READ, TRANSACTION_SERIALIZABLE})
  void onlyTheBlockingSessionIsTerminated(int isolation) throws Exception {
    place.install(1, "a");
    try (AppSession bystander = place.app(isolation);
        AppSession first = place.app(isolation);
        AppSession second = place.app(isolation);
        AppSession third = place.app(isolation);
        EpochFence fence = place.open(HASTY)) {
      bystander.query("SELECT count(*) FROM pg_class");
      for (AppSession each : List.of(first, second, third)) {
        each.check(1, "a");
      }

      assertThat(now(fence.install(2, "b"))).isEqualTo(new FenceState(2, "b"));

      assertThat(List.of(first, second, third)).noneMatch(AppSession::isAlive);
      assertThatThrownBy(() -> first.connection().commit()).isInstanceOf(SQLException.class);
      assertThat(bystander.isAlive()).isTrue();
      bystander.connection().commit();
    }
  }

  @Test
  void waitingSessionIsNotTerminatedInsteadOfTheBlocker() throws Exception {
    place.install(1, "a");
    FenceFixture weak = place.as("weak_" + place.table().table());
    server.execute("CREATE ROLE " + weak.role() + " LOGIN");
    server.execute("GRANT SELECT, INSERT, UPDATE ON " + place.table() + " TO " + weak.role());
    try (AppSession old = place.app(TRANSACTION_READ_COMMITTED);
        AppSession inLine = weak.app(TRANSACTION_READ_COMMITTED);
        EpochFence first = place.open(PATIENT);
        EpochFence second = weak.open(HASTY)) {
      old.check(1, "a");
      CompletableFuture<FenceState> slow = first.install(2, "b").toCompletableFuture();
      awaitInstallerWaiting();
      CompletableFuture<Void> checked = inBackground(() -> inLine.check(1, "a"));
      await().atMost(LONG).until(() -> waits(inLine));

      assertThat(failureMessage(second.install(3, "c"))).contains("may not terminate it");

      assertThat(inLine.isAlive()).isTrue();
      assertThat(checked).isNotDone();
      old.connection().commit();
      assertThat(now(slow)).isEqualTo(new FenceState(2, "b"));
      assertThat(checked).failsWithin(LONG).withThrowableThat().withMessageContaining("may not");
    }
  }

  private boolean waits(AppSession session) {
    return server
        .query("SELECT cardinality(pg_blocking_pids(" + session.pid() + ")) > 0")
        .equals("t");
  }

  private interface SqlWork {
    void run() throws SQLException;
  }

  private static CompletableFuture<Void> inBackground(SqlWork work) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
                done.complete(null);
              } catch (SQLException e) {
                done.completeExceptionally(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    return done;
  }

  @Test
  void frozenInstallerThatHoldsLocksIsTerminated() throws Exception {
    place.install(1, "a");
    try (Connection frozen = place.connect();
        EpochFence fence = place.open(HASTY)) {
      frozen.setAutoCommit(false);
      try (PreparedStatement lock = frozen.prepareStatement(place.names().lockStatement())) {
        lock.setString(1, place.scope());
        lock.execute();
      }
      try (PreparedStatement raise = frozen.prepareStatement(place.names().raiseStatement())) {
        raise.setLong(1, 2);
        raise.setString(2, "frozen");
        raise.setString(3, place.scope());
        raise.setLong(4, 2);
        raise.execute();
      }

      assertThat(now(fence.install(3, "b"))).isEqualTo(new FenceState(3, "b"));
      assertThatThrownBy(frozen::commit).isInstanceOf(SQLException.class);
      assertThat(now(fence.read())).isEqualTo(new FenceState(3, "b"));
    }
  }

  @Test
  void concurrentInstallersEndAtTheHighestEpoch() throws Exception {
    place.made();
    ExecutorService nodes = Executors.newFixedThreadPool(6);
    List<EpochFence> fences = new ArrayList<>();
    try {
      List<Callable<Void>> all = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        String holder = "node-" + i;
        int offset = i;
        EpochFence fence = place.open(PATIENT);
        fences.add(fence);
        all.add(
            () -> {
              for (int round = 0; round < 15; round++) {
                long epoch = round * 6L + (offset * 5 + round) % 6 + 1;
                FenceState result = now(fence.install(epoch, holder));
                assertThat(result.epoch()).isGreaterThanOrEqualTo(epoch);
                assertThat(result.epoch() > epoch || result.holder().equals(holder)).isTrue();
                assertThat(now(fence.read()).epoch()).isGreaterThanOrEqualTo(result.epoch());
              }
              return null;
            });
      }
      for (Future<Void> each : nodes.invokeAll(all)) {
        each.get();
      }
      assertThat(now(fences.get(0).read()).epoch()).isEqualTo(90);
    } finally {
      nodes.shutdown();
      fences.forEach(EpochFence::close);
    }
  }

  @Test
  void closedFenceReportsThatItIsClosed() {
    EpochFence fence = place.open();
    fence.close();

    assertThat(failureMessage(fence.read())).contains("closed");
  }

  @Test
  void closingDoesNotWaitForAnInstallation() throws Exception {
    place.install(1, "a");
    try (AppSession old = place.app(TRANSACTION_READ_COMMITTED)) {
      old.check(1, "a");
      EpochFence fence = place.open(PATIENT);
      CompletableFuture<FenceState> raised = fence.install(2, "b").toCompletableFuture();
      awaitInstallerWaiting();
      CompletableFuture<FenceState> inLine = fence.read().toCompletableFuture();

      fence.close();

      assertThat(raised).failsWithin(LONG);
      assertThat(inLine).failsWithin(LONG);
      assertThat(old.isAlive()).isTrue();
    }
  }
}
