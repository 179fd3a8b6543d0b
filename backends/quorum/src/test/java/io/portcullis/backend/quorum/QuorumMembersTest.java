package io.portcullis.backend.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.LeaderElection;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.contract.SplitBrainDetector;
import io.portcullis.election.log.LogCapture;
import io.portcullis.election.machine.RoleName;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests elections among members with real sockets and real ballot files. */
@Tag("slow")
class QuorumMembersTest {
  private static final Duration MAX_WAIT = Duration.ofMinutes(2);
  private static final Duration LEASE = Duration.ofSeconds(2);

  /** A lease that ends after any wait of a test. */
  private static final Duration LONG_LEASE = MAX_WAIT.multipliedBy(2);

  @TempDir private Path folder;
  private final SplitBrainDetector detector = new SplitBrainDetector();
  private final List<LeaderElection> nodes = new ArrayList<>();
  private final List<LeaseStore> witnesses = new ArrayList<>();
  private QuorumFixture cluster;

  @BeforeEach
  void choosePorts() {
    cluster = QuorumFixture.of(3, folder, LEASE);
  }

  @AfterEach
  void end() {
    detector.close();
    witnesses.forEach(LeaseStore::close);
  }

  private LeaderElection start(int self) {
    ElectionConfig config = cluster.election(self);
    LeaderElection node = detector.add(new LeaderElection(config, cluster.candidate(self, config)));
    nodes.add(node);
    node.start();
    return node;
  }

  private Optional<LeaderElection> leader() {
    return nodes.stream().filter(LeaderElection::isLeader).findFirst();
  }

  private LeaderElection awaitLeader() {
    return await().atMost(MAX_WAIT).until(this::leader, Optional::isPresent).orElseThrow();
  }

  private void awaitAllKnow(LeaderElection leader) {
    await().atMost(MAX_WAIT).until(() -> isKnownToAll(leader));
  }

  private boolean isKnownToAll(LeaderElection leader) {
    Optional<String> name = Optional.of(leader.config().identity());
    return nodes.stream().allMatch(node -> node.leader().equals(name));
  }

  @Test
  void allMembersKnowTheLeaderAndItsAddress() {
    start(0);
    start(1);
    start(2);

    LeaderElection leader = awaitLeader();

    awaitAllKnow(leader);
    String address = "http://" + leader.config().identity() + ":8080";
    assertThat(nodes).allMatch(node -> node.leaderAddress().equals(Optional.of(address)));
    assertThat(leader.epoch()).isGreaterThan(1_700_000_000L);
  }

  @Test
  void stepDownHandsOverBeforeTheLeaseEnds() {
    cluster = QuorumFixture.of(3, folder, LONG_LEASE);
    start(0);
    start(1);
    start(2);
    LeaderElection first = awaitLeader();
    awaitAllKnow(first);
    long epoch = first.epoch();

    first.stepDown();
    LeaderElection second = awaitLeader();

    assertThat(second).isNotSameAs(first);
    assertThat(second.epoch()).isGreaterThan(epoch);
    detector.assertSafe();
  }

  @Test
  void twoNodesAndAWitnessTolerateOneFailure() {
    witnesses.add(cluster.witness(2));
    start(0);
    start(1);
    LeaderElection first = awaitLeader();
    awaitAllKnow(first);

    first.close();

    await().atMost(MAX_WAIT).until(() -> leader().filter(node -> node != first).isPresent());
    detector.assertSafe();
  }

  @Test
  void minorityElectsNobodyAndReportsTheReason() {
    LeaderElection alone = start(0);

    await()
        .atMost(MAX_WAIT)
        .until(() -> String.valueOf(alone.status().store().problem()).contains("no saved vote"));
    assertThat(alone.isLeader()).isFalse();
    assertThat(alone.status().store().answered()).isFalse();
  }

  @Test
  void isolatedLeaderReportsMissingMembersAndNoLeader() {
    start(0);
    start(1);
    start(2);
    LeaderElection alone = awaitLeader();
    awaitAllKnow(alone);
    List<String> missing =
        nodes.stream()
            .filter(node -> node != alone)
            .map(node -> node.config().identity())
            .sorted()
            .toList();
    String why = "no majority of the 3 members: no link with " + String.join(", ", missing);

    try (LogCapture log = LogCapture.holding("node=" + alone.config().identity())) {
      nodes.stream().filter(node -> node != alone).forEach(LeaderElection::close);
      await().atMost(MAX_WAIT).until(() -> alone.role() == RoleName.CANDIDATE);
      long endNanos = System.nanoTime() + LEASE.toNanos();
      await()
          .atMost(MAX_WAIT)
          .until(
              () -> {
                assertThat(alone.role()).isEqualTo(RoleName.CANDIDATE);
                assertThat(alone.leader()).isEmpty();
                return System.nanoTime() - endNanos > 0;
              });

      assertThat(alone.status().explanation()).isEqualTo("the store does not respond: " + why);
      assertThat(log.list()).anyMatch(line -> line.contains("does not respond why=\"" + why));
      assertThat(log.list()).noneMatch(line -> line.contains("responds again"));
    }
  }

  @Test
  void memberWithCorruptBallotFollowsAndNeverVotes() throws Exception {
    LeaderElection before = start(0);
    start(1);
    start(2);
    awaitAllKnow(awaitLeader());
    before.close();
    nodes.remove(before);
    Path ballot = folder.resolve("test+writer+m00/ballot");
    Files.writeString(ballot, "term 7\n", StandardCharsets.UTF_8);

    LeaderElection corrupt = start(0);

    awaitAllKnow(awaitLeader());
    assertThat(corrupt.status().explanation())
        .contains("this member does not vote: ")
        .contains("can't know how it voted");
    nodes.forEach(LeaderElection::stepDown);
    await().atMost(MAX_WAIT).until(() -> leader().filter(this::isKnownToAll).isPresent());
    assertThat(corrupt.isLeader()).isFalse();
    assertThat(corrupt.metrics().counts().acquired()).isZero();
    nodes.stream().filter(node -> node != corrupt).forEach(LeaderElection::close);
    await()
        .atMost(MAX_WAIT)
        .until(
            () ->
                String.valueOf(corrupt.status().store().problem())
                    .contains("can't know how it voted"));
    assertThat(Files.readString(ballot)).isEqualTo("term 7\n");
  }

  @Test
  void secondProcessOfAMemberIsRejected() {
    LeaseStore first = cluster.witness(0);
    witnesses.add(first);
    await().atMost(MAX_WAIT).until(() -> Files.exists(folder.resolve("test+writer+m00/lock")));

    LeaseStore second = cluster.witness(0);
    witnesses.add(second);

    LeaseResponse answer = second.ask(new LeaseRequest.Look()).toCompletableFuture().join();
    assertThat(answer.toString()).contains("is in use by").contains("same member id");
  }

  @Test
  void restartOfAllMembersWaitsOutPromisesThenElects() {
    start(0);
    start(1);
    start(2);
    LeaderElection first = awaitLeader();
    awaitAllKnow(first);
    long epoch = first.epoch();
    nodes.forEach(LeaderElection::close);
    nodes.clear();
    long startNanos = System.nanoTime();

    start(0);
    start(1);
    start(2);
    LeaderElection second = awaitLeader();

    assertThat(System.nanoTime() - startNanos).isGreaterThan(LEASE.toNanos());
    assertThat(second.epoch()).isGreaterThan(epoch);
    detector.assertSafe();
  }
}
