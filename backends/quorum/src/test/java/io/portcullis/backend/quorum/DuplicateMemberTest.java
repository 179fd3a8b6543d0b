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

/** A configuration that was copied: two processes are one member, each with a folder and a port. */
@Tag("slow")
class DuplicateMemberTest {
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final Duration LEASE = Duration.ofSeconds(2);

  /** A lease that ends after any wait of a test. */
  private static final Duration STEADY_LEASE = LONG.multipliedBy(2);

  @TempDir private Path folder;
  @TempDir private Path otherFolder;
  private final SplitBrainDetector watch = new SplitBrainDetector();
  private final List<LeaderElection> nodes = new ArrayList<>();
  private final List<LeaseStore> stores = new ArrayList<>();
  private QuorumFixture council;

  @BeforeEach
  void choosePorts() {
    council = QuorumFixture.of(3, folder, LEASE);
  }

  @AfterEach
  void end() {
    watch.close();
  }

  private LeaderElection start(ElectionConfig config, LeaseStore store) {
    LeaderElection node = watch.add(new LeaderElection(config, store));
    nodes.add(node);
    stores.add(store);
    node.start();
    return node;
  }

  private LeaderElection start(int self, String identity) {
    ElectionConfig config = council.election(identity);
    return start(config, council.candidate(self, config));
  }

  private LeaderElection duplicate(int self, String identity) {
    ElectionConfig config = council.election(identity);
    return start(config, council.duplicate(self, config, otherFolder));
  }

  private Optional<LeaderElection> leader() {
    return nodes.stream().filter(LeaderElection::isLeader).findFirst();
  }

  private void awaitVoters(int... places) {
    for (int place : places) {
      await().atMost(LONG).until(() -> degradedReason(place) == null);
    }
  }

  private @Nullable String degradedReason(int place) {
    return RequiredFeature.of(stores.get(place), StoreDiagnostics.class).degradedReason();
  }

  private long refusedDoubles(int place) {
    Map<String, Long> counts = RequiredFeature.of(stores.get(place), StoreCounters.class).counts();
    return counts.getOrDefault("refused_double", 0L);
  }

  @Test
  void aDuplicateTakesNoPartWhileTheMemberLives() {
    start(0, "first");
    start(1, "m01");
    start(2, "m02");
    await().atMost(LONG).until(() -> leader().isPresent());
    awaitVoters(0, 1, 2);
    long enough = System.nanoTime() + LEASE.multipliedBy(4).toNanos();

    LeaderElection twin = duplicate(0, "twin");

    await()
        .atMost(LONG)
        .until(
            () -> {
              assertThat(degradedReason(3)).isNotNull();
              assertThat(twin.isLeader()).isFalse();
              nodes.forEach(LeaderElection::stepDown);
              return System.nanoTime() - enough > 0;
            });
    await().atMost(LONG).until(() -> String.valueOf(degradedReason(3)).contains("first"));
    assertThat(degradedReason(3))
        .contains("another process of this member, first, answers at its address");
    assertThat(refusedDoubles(0)).isPositive();
    watch.assertSafe();
  }

  @Test
  void duplicateMemberLeavesWhenTheRealOneIsThere() {
    LeaderElection before = start(0, "first");
    start(1, "m01");
    start(2, "m02");
    awaitVoters(0, 1, 2);
    before.close();
    duplicate(0, "twin");
    awaitVoters(3);

    start(0, "second");

    await().atMost(LONG).until(() -> String.valueOf(degradedReason(3)).contains("second"));
    awaitVoters(4);
    watch.assertSafe();
  }

  @Test
  void aRestartedMemberIsBackInWithinALease() {
    council = QuorumFixture.of(3, folder, STEADY_LEASE);
    LeaderElection before = start(0, "first");
    LeaderElection other = start(1, "m01");
    LeaderElection third = start(2, "m02");
    await().atMost(LONG).until(() -> leader().isPresent());
    awaitVoters(0, 1, 2);
    before.close();
    nodes.remove(before);
    await().atMost(LONG).until(() -> leader().isPresent());

    LeaderElection after = start(0, "second");

    await().atMost(LONG).until(() -> after.leader().isPresent());
    assertThat(refusedDoubles(1) + refusedDoubles(2)).isZero();
    await().atMost(LONG).until(() -> other.isLeader() || third.isLeader());
    watch.assertSafe();
  }
}
