package io.portcullis.backend.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.portcullis.backend.postgres.fence.PostgresFenceProvider;
import io.portcullis.election.LeaderElection;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.contract.ReferenceSettings;
import io.portcullis.election.contract.SplitBrainDetector;
import io.portcullis.election.fence.EpochFence;
import io.portcullis.election.fence.EpochFence.FenceFunctions;
import io.portcullis.election.fence.EpochFence.FenceState;
import io.portcullis.election.fence.FencePlan;
import io.portcullis.election.fence.FencedStore;
import io.portcullis.election.store.EpochRange;
import io.portcullis.servers.PostgresServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An operator writes an invalid epoch into the row of a real fence. */
class FencedEpochTest {
  private static final Duration EVERY = Duration.ofMillis(200);
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final long MAX = EpochRange.MAX_EPOCH;

  private final PostgresServer server = SharedPostgres.SERVER;
  private final PostgresFixture site = PostgresFixture.on(server);
  private final String table = "fence_of_" + site.table();
  private final String repair =
      "UPDATE \"public\".\""
          + table
          + "\" SET epoch = extract(epoch FROM clock_timestamp())::bigint"
          + " WHERE scope = 'orders:writer';";

  private EpochFence fence() {
    ReferenceSettings settings =
        ReferenceSettings.of(
            PostgresFenceProvider.class,
            "fence-reference.conf",
            Map.of("url", server.url(), "user", "postgres", "table", "public." + table));
    FencePlan plan = new PostgresFenceProvider().plan("orders", "writer", settings);
    assertThat(settings.refusals()).isEmpty();
    return Objects.requireNonNull(plan).open("node");
  }

  private LeaderElection node(SplitBrainDetector watch, String name) {
    ElectionConfig config = new ElectionConfig("orders", "writer", name, null, site.timing());
    FencedStore store = new FencedStore(site.open(config), List.of(fence()), name, EVERY);
    LeaderElection node = watch.add(new LeaderElection(config, store));
    node.start();
    return node;
  }

  private void setFence(long epoch) {
    server.execute("UPDATE " + table + " SET epoch = " + epoch);
  }

  private String fenceRow() {
    return server.query("SELECT epoch::text FROM " + table);
  }

  private static void awaitRefusal(LeaderElection node, long epoch, String repair) {
    await()
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(String.valueOf(node.status().store().degradedReason()))
                    .contains(Long.toString(epoch), "Run: ", repair));
  }

  @ParameterizedTest
  @ValueSource(
      longs = {
        Long.MIN_VALUE,
        -1,
        MAX + 1,
        (1L << 53) - 1,
        1L << 53,
        (1L << 53) + 1,
        Long.MAX_VALUE - 1,
        Long.MAX_VALUE
      })
  void implausibleRowIsRefusedReportedAndReadAfterRepair(long epoch) {
    try (EpochFence fence = fence()) {
      fence.install(5, "a").toCompletableFuture().join();
      setFence(epoch);

      assertThatThrownBy(() -> fence.read().toCompletableFuture().join())
          .hasMessageContainingAll(table, "scope orders:writer", Long.toString(epoch), repair);
      assertThatThrownBy(() -> fence.install(6, "b").toCompletableFuture().join())
          .hasMessageContaining(repair);
      assertThat(fenceRow()).isEqualTo(Long.toString(epoch));

      server.execute(repair);
      long now = fence.read().toCompletableFuture().join().epoch();
      assertThat(now).isGreaterThan(5).isLessThan(MAX);
      assertThat(fence.install(now + 1, "b").toCompletableFuture().join())
          .isEqualTo(new FenceState(now + 1, "b"));
    }
  }

  /** The epoch check of a fenced connection of this node before each write. */
  private String checkBy(long epoch) {
    try (EpochFence fence = fence()) {
      fence.read().exceptionally(failure -> FenceState.NONE).toCompletableFuture().join();
      FenceFunctions functions = Objects.requireNonNull(fence.functions());
      return "SELECT " + functions.check() + "('orders:writer', " + epoch + ", 'a', false)";
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MAX_VALUE, MAX - 1})
  void leaderAtWrongFenceWritesNothingUntilTheRepair(long epoch) throws Exception {
    try (SplitBrainDetector watch = new SplitBrainDetector()) {
      LeaderElection node = node(watch, "a");
      assertThat(node.awaitLeadership(LONG)).isTrue();
      long before = node.epoch();
      assertThat(fenceRow()).isEqualTo(Long.toString(before));
      LeaderElection other = node(watch, "b");
      await().atMost(LONG).until(() -> other.leader().equals(Optional.of("a")));

      setFence(epoch);

      awaitRefusal(node, epoch, "SET epoch = extract(epoch FROM clock_timestamp())::bigint");
      assertThat(node.isLeader()).as("the fence itself refuses it").isTrue();
      assertThatThrownBy(() -> server.query(checkBy(before)))
          .hasStackTraceContaining("may not write");
      node.stepDown();
      await()
          .during(site.timing().lease().multipliedBy(2))
          .atMost(LONG)
          .until(() -> !node.isLeader() && !other.isLeader());
      assertThat(site.column("epoch")).as("nobody campaigned").isEqualTo(Long.toString(before));
      assertThat(fenceRow()).isEqualTo(Long.toString(epoch));
      awaitRefusal(other, epoch, "UPDATE");

      server.execute(repair);

      await().atMost(LONG).until(() -> node.isLeader() || other.isLeader());
      long after = Math.max(node.epoch(), other.epoch());
      assertThat(after).isGreaterThan(before).isLessThan(MAX);
      assertThat(fenceRow()).isEqualTo(Long.toString(after));
      watch.assertSafe();
    }
  }

  @Test
  void nextEpochIsAboveTheEpochOfTheFence() throws Exception {
    try (SplitBrainDetector watch = new SplitBrainDetector();
        EpochFence fence = fence()) {
      fence.install(MAX / 4, "somebody").toCompletableFuture().join();

      LeaderElection node = node(watch, "a");

      assertThat(node.awaitLeadership(LONG)).isTrue();
      assertThat(node.epoch()).isEqualTo(MAX / 4 + 1);
      assertThat(site.column("epoch")).isEqualTo(Long.toString(MAX / 4 + 1));
    }
  }
}
