package io.portcullis.backend.quorum;

import static org.awaitility.Awaitility.await;

import io.portcullis.election.LeaderElection;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.contract.RequiredFeature;
import io.portcullis.election.contract.SplitBrainDetector;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.StoreFeatures.StoreDiagnostics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs one member twice, as after copying a configuration with its {@code self}: the second process
 * has an empty folder, and the network between the other members is cut. Uses real sockets in one
 * JVM.
 *
 * <p>{@link DuplicateMemberSplitBrainTest} cuts the network with a change of the source: {@code b}
 * and {@code c} do not reach each other, nor do {@code c} and the first process of {@code a}. So
 * {@code b} has a majority with the first process, and {@code c} would have one with the second.
 */
public final class DuplicateMemberScenario {
  private static final Duration MAX_WAIT = Duration.ofMinutes(2);
  private static final Duration LEASE = Duration.ofSeconds(2);

  /** How long to watch for a second leader once there is one. */
  private static final Duration OBSERVATION = LEASE.multipliedBy(6);

  static final String FIRST = "first";

  private static volatile boolean cut;

  private final List<LeaderElection> nodes = new ArrayList<>();

  private DuplicateMemberScenario() {}

  /** Called by the changed source: whether this process cannot reach that member. */
  public static boolean isCut(String identity, int self, int member) {
    boolean betweenBAndC = (self == 1 && member == 2) || (self == 2 && member == 1);
    boolean betweenCAndFirst =
        (self == 2 && member == 0) || (identity.equals(FIRST) && member == 2);
    return cut && (betweenBAndC || betweenCAndFirst);
  }

  /** Null if there was one leader at a time, else the leaders at one time. Ignores the seed. */
  public static @Nullable String failureOf(long seed) {
    try {
      Path folder = Files.createTempDirectory("portcullis-duplicate");
      try {
        return new DuplicateMemberScenario().run(folder);
      } finally {
        deleteRecursively(folder);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private @Nullable String run(Path folder) {
    QuorumFixture cluster = QuorumFixture.of(3, folder.resolve("ballots"), LEASE);
    cut = false;
    createBallots(cluster);
    cut = true;
    try (SplitBrainDetector detector = new SplitBrainDetector()) {
      start(detector, cluster.election(FIRST), config -> cluster.candidate(0, config));
      start(detector, cluster.election("b"), config -> cluster.candidate(1, config));
      start(detector, cluster.election("c"), config -> cluster.candidate(2, config));
      Path empty = folder.resolve("empty");
      start(detector, cluster.election("duplicate"), config -> cluster.duplicate(0, config, empty));
      await().atMost(MAX_WAIT).until(() -> nodes.stream().anyMatch(LeaderElection::isLeader));
      long endNanos = System.nanoTime() + OBSERVATION.toNanos();
      await()
          .atMost(MAX_WAIT)
          .until(
              () -> {
                detector.assertSafe();
                return System.nanoTime() - endNanos > 0;
              });
      return null;
    } catch (AssertionError e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** Runs all members once, so that only the duplicate is without a ballot. */
  private void createBallots(QuorumFixture cluster) {
    List<LeaseStore> stores = new ArrayList<>();
    for (int member = 0; member < 3; member++) {
      stores.add(cluster.witness(member));
    }
    await()
        .atMost(MAX_WAIT)
        .until(
            () ->
                stores.stream()
                    .map(store -> RequiredFeature.of(store, StoreDiagnostics.class))
                    .allMatch(store -> store.degradedReason() == null));
    stores.forEach(LeaseStore::close);
  }

  private void start(
      SplitBrainDetector detector,
      ElectionConfig config,
      Function<ElectionConfig, LeaseStore> store) {
    LeaderElection node = detector.add(new LeaderElection(config, store.apply(config)));
    nodes.add(node);
    node.start();
  }

  private static void deleteRecursively(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
