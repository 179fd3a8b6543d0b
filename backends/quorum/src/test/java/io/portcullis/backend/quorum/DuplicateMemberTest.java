package io.portcullis.backend.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.LeaderElection;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.contract.RequiredFeature;
import io.portcullis.election.contract.SplitBrainDetector;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.StoreFeatures.StoreCounters;
import io.portcullis.election.store.StoreFeatures.StoreDiagnostics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests two processes with one member id, as after copying a configuration. Each has its own folder
 * and port.
 */
@Tag("slow")
class DuplicateMemberTest {
  private static final Duration MAX_WAIT = Duration.ofMinutes(2);
  private static final Duration LEASE = Duration.ofSeconds(2);

  /** A lease that ends after any wait of a test. */
  private static final Duration LONG_LEASE = MAX_WAIT.multipliedBy(2);

  @TempDir private Path folder;
  @TempDir private Path otherFolder;
  private final SplitBrainDetector detector = new SplitBrainDetector();
  private final List<LeaderElection> nodes = new ArrayList<>();
  private final List<LeaseStore> stores = new ArrayList<>();
  private QuorumFixture cluster;

  @BeforeEach
  void choosePorts() {
    cluster = QuorumFixture.of(3, folder, LEASE);
  }

  @AfterEach
  void end() {
    detector.close();
  }

  private LeaderElection start(ElectionConfig config, LeaseStore store) {
    LeaderElection node = detector.add(new LeaderElection(config, store));
    nodes.add(node);
    stores.add(store);
    node.start();
    return node;
  }

  private LeaderElection start(int self, String identity) {
    ElectionConfig config = cluster.election(identity);
    return start(config, cluster.candidate(self, config));
  }

  private LeaderElection duplicate(int self, String identity) {
    ElectionConfig config = cluster.election(identity);
    return start(config, cluster.duplicate(self, config, otherFolder));
  }

  private Optional<LeaderElection> leader() {
    return nodes.stream().filter(LeaderElection::isLeader).findFirst();
  }

  private void awaitVoters(int... indexes) {
    for (int index : indexes) {
      await().atMost(MAX_WAIT).until(() -> degradedReason(index) == null);
    }
  }

  private @Nullable String degradedReason(int index) {
    return RequiredFeature.of(stores.get(index), StoreDiagnostics.class).degradedReason();
  }

  private long refusedDuplicates(int index) {
    Map<String, Long> counts = RequiredFeature.of(stores.get(index), StoreCounters.class).counts();
    return counts.getOrDefault("refused_double", 0L);
  }

  @Test
  void duplicateTakesNoPartWhileTheMemberRuns() {
    start(0, "first");
    start(1, "m01");
    start(2, "m02");
    await().atMost(MAX_WAIT).until(() -> leader().isPresent());
    awaitVoters(0, 1, 2);
    long endNanos = System.nanoTime() + LEASE.multipliedBy(4).toNanos();

    LeaderElection duplicateNode = duplicate(0, "duplicate");

    await()
        .atMost(MAX_WAIT)
        .until(
            () -> {
              assertThat(degradedReason(3)).isNotNull();
              assertThat(duplicateNode.isLeader()).isFalse();
              nodes.forEach(LeaderElection::stepDown);
              return System.nanoTime() - endNanos > 0;
            });
    await().atMost(MAX_WAIT).until(() -> String.valueOf(degradedReason(3)).contains("first"));
    assertThat(degradedReason(3))
        .contains("another process of this member, first, responds at its address");
    assertThat(refusedDuplicates(0)).isPositive();
    detector.assertSafe();
  }

  @Test
  void duplicateLeavesWhenTheMemberStartsAgain() {
    LeaderElection before = start(0, "first");
    start(1, "m01");
    start(2, "m02");
    awaitVoters(0, 1, 2);
    before.close();
    duplicate(0, "duplicate");
    awaitVoters(3);

    start(0, "second");

    await().atMost(MAX_WAIT).until(() -> String.valueOf(degradedReason(3)).contains("second"));
    awaitVoters(4);
    detector.assertSafe();
  }

  @Test
  void restartedMemberRejoinsWithinALease() {
    cluster = QuorumFixture.of(3, folder, LONG_LEASE);
    LeaderElection before = start(0, "first");
    LeaderElection other = start(1, "m01");
    LeaderElection third = start(2, "m02");
    await().atMost(MAX_WAIT).until(() -> leader().isPresent());
    awaitVoters(0, 1, 2);
    before.close();
    nodes.remove(before);
    await().atMost(MAX_WAIT).until(() -> leader().isPresent());

    LeaderElection after = start(0, "second");

    await().atMost(MAX_WAIT).until(() -> after.leader().isPresent());
    assertThat(refusedDuplicates(1) + refusedDuplicates(2)).isZero();
    await().atMost(MAX_WAIT).until(() -> other.isLeader() || third.isLeader());
    detector.assertSafe();
  }
}
