package io.portcullis.backend.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.LeaderElection;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.contract.DisconnectedStore;
import io.portcullis.election.contract.SplitBrainDetector;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that members with real sockets and ballot files elect a leader, and another one after its
 * crash, and prints how long that took. {@code -Dportcullis.quorum.members=5,10,50} names the
 * cluster sizes. No time is asserted, because all members share this machine; {@code
 * benchmarks/quorum} compares times with targets.
 */
@Tag("slow")
class QuorumConvergenceTest {
  private static final String SIZES = System.getProperty("portcullis.quorum.members", "5");
  private static final Duration MAX_WAIT = Duration.ofMinutes(5);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(5);

  /** The default of the configuration. */
  private static final Duration LEASE = Duration.ofSeconds(10);

  @TempDir private Path folder;
  private final SplitBrainDetector detector = new SplitBrainDetector();
  private final Map<LeaderElection, DisconnectedStore> members = new LinkedHashMap<>();

  static IntStream sizes() {
    return Stream.of(SIZES.split(",")).map(String::strip).mapToInt(Integer::parseInt);
  }

  @AfterEach
  void end() {
    detector.close();
  }

  @ParameterizedTest(name = "{0} members")
  @MethodSource("sizes")
  void membersElectALeaderAndAnotherAfterItsCrash(int size) {
    long startNanos = System.nanoTime();
    start(size);
    awaitPresent(this::leader);
    Duration open = since(startNanos);
    LeaderElection first = awaitPresent(this::leaderKnownToAll);
    Duration known = since(startNanos);
    long epoch = first.epoch();

    long crashNanos = System.nanoTime();
    crash(first);
    LeaderElection second = awaitPresent(this::leader);
    Duration takeover = since(crashNanos);
    long nextEpoch = second.epoch();
    awaitPresent(this::leaderKnownToAll);
    Duration takeoverKnown = since(crashNanos);

    System.out.printf(
        Locale.ROOT,
        "convergence members=%d open=%.2fs known=%.2fs"
            + " crash-to-open=%.2fs crash-to-known=%.2fs lease=%ds%n",
        size,
        seconds(open),
        seconds(known),
        seconds(takeover),
        seconds(takeoverKnown),
        LEASE.toSeconds());
    assertThat(nextEpoch).isGreaterThan(epoch);
    detector.assertSafe();
  }

  private void start(int size) {
    QuorumFixture cluster = QuorumFixture.of(size, folder, LEASE);
    for (int self = 0; self < size; self++) {
      ElectionConfig config = cluster.election(self);
      DisconnectedStore store = new DisconnectedStore(cluster.candidate(self, config));
      LeaderElection node = detector.add(new LeaderElection(config, store));
      members.put(node, store);
      node.start();
    }
  }

  /**
   * Ends the member's messages without a release. Its gate stays open until its lease ends, as that
   * of a leader that is cut off does, so the detector sees if another one opens too early.
   */
  private void crash(LeaderElection leader) {
    Objects.requireNonNull(members.remove(leader)).sever();
  }

  /** The member whose gate is open, except for one that has crashed. */
  private Optional<LeaderElection> leader() {
    return members.keySet().stream().filter(LeaderElection::isLeader).findFirst();
  }

  private Optional<LeaderElection> leaderKnownToAll() {
    return leader().filter(this::isKnownToAll);
  }

  private boolean isKnownToAll(LeaderElection leader) {
    Optional<String> name = Optional.of(leader.config().identity());
    return members.keySet().stream().allMatch(node -> node.leader().equals(name));
  }

  private static LeaderElection awaitPresent(Supplier<Optional<LeaderElection>> found) {
    return await()
        .atMost(MAX_WAIT)
        .pollDelay(Duration.ZERO)
        .pollInterval(POLL_INTERVAL)
        .until(found::get, Optional::isPresent)
        .orElseThrow();
  }

  private static Duration since(long startNanos) {
    return Duration.ofNanos(System.nanoTime() - startNanos);
  }

  private static double seconds(Duration time) {
    return time.toMillis() / 1000.0;
  }
}
