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
 * A configuration was copied with its {@code self}: a member runs twice, the second time with an
 * empty folder, and the network between the others is cut. Real sockets, one JVM.
 *
 * <p>The cut is a change of the source, see {@link DuplicateMemberSplitBrainTest}: {@code b} and
 * {@code c} do not reach each other, nor do {@code c} and the first process of {@code a}. So {@code
 * b} has a majority with the one, and {@code c} would have one with the other.
 */
public final class DuplicateMemberScenario {
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final Duration LEASE = Duration.ofSeconds(2);

  /** How long to look for a second leader once there is a first. */
  private static final Duration LOOK = LEASE.multipliedBy(6);

  static final String FIRST = "first";

  /** Whether the network is cut. */
  private static volatile boolean cut;

  private final List<LeaderElection> nodes = new ArrayList<>();

  private DuplicateMemberScenario() {}

  /** What the changed source asks: whether this process reaches that member. */
  public static boolean isCut(String identity, int self, int member) {
    boolean betweenBAndC = (self == 1 && member == 2) || (self == 2 && member == 1);
    boolean betweenCAndTheFirst =
        (self == 2 && member == 0) || (identity.equals(FIRST) && member == 2);
    return cut && (betweenBAndC || betweenCAndTheFirst);
  }

  /** Null if there was one leader at a time, else who led at once. The number is of no matter. */
  public static @Nullable String failureOf(long number) {
    try {
      Path folder = Files.createTempDirectory("portcullis-twins");
      try {
        return new DuplicateMemberScenario().meet(folder);
      } finally {
        remove(folder);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private @Nullable String meet(Path folder) {
    QuorumFixture council = QuorumFixture.of(3, folder.resolve("ballots"), LEASE);
    cut = false;
    beMembersOnce(council);
    cut = true;
    try (SplitBrainDetector watch = new SplitBrainDetector()) {
      start(watch, council.election(FIRST), config -> council.candidate(0, config));
      start(watch, council.election("b"), config -> council.candidate(1, config));
      start(watch, council.election("c"), config -> council.candidate(2, config));
      Path empty = folder.resolve("empty");
      start(watch, council.election("twin"), config -> council.duplicate(0, config, empty));
      await().atMost(LONG).until(() -> nodes.stream().anyMatch(LeaderElection::isLeader));
      long enough = System.nanoTime() + LOOK.toNanos();
      await()
          .atMost(LONG)
          .until(
              () -> {
                watch.assertSafe();
                return System.nanoTime() - enough > 0;
              });
      return null;
    } catch (AssertionError e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** So that nobody but the twin is new. */
  private void beMembersOnce(QuorumFixture council) {
    List<LeaseStore> stores = new ArrayList<>();
    for (int member = 0; member < 3; member++) {
      stores.add(council.witness(member));
    }
    await()
        .atMost(LONG)
        .until(
            () ->
                stores.stream()
                    .map(store -> RequiredFeature.of(store, StoreDiagnostics.class))
                    .allMatch(store -> store.degradedReason() == null));
    stores.forEach(LeaseStore::close);
  }

  private void start(
      SplitBrainDetector watch, ElectionConfig config, Function<ElectionConfig, LeaseStore> store) {
    LeaderElection node = watch.add(new LeaderElection(config, store.apply(config)));
    nodes.add(node);
    node.start();
  }

  private static void remove(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
