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

/** Members with real sockets and real ballots. */
@Tag("slow")
class QuorumMembersTest {
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final Duration LEASE = Duration.ofSeconds(2);

  /** A lease that ends after any wait of a test. */
  private static final Duration STEADY_LEASE = LONG.multipliedBy(2);

  @TempDir private Path folder;
  private final SplitBrainDetector watch = new SplitBrainDetector();
  private final List<LeaderElection> nodes = new ArrayList<>();
  private final List<LeaseStore> others = new ArrayList<>();
  private QuorumFixture council;

  @BeforeEach
  void choosePorts() {
    council = QuorumFixture.of(3, folder, LEASE);
  }

  @AfterEach
  void end() {
    watch.close();
    others.forEach(LeaseStore::close);
  }

  private LeaderElection start(int self) {
    ElectionConfig config = council.election(self);
    LeaderElection node = watch.add(new LeaderElection(config, council.candidate(self, config)));
    nodes.add(node);
    node.start();
    return node;
  }

  private Optional<LeaderElection> leader() {
    return nodes.stream().filter(LeaderElection::isLeader).findFirst();
  }

  private LeaderElection awaitLeader() {
    return await().atMost(LONG).until(this::leader, Optional::isPresent).orElseThrow();
  }

  private void awaitAllKnow(LeaderElection leader) {
    await().atMost(LONG).until(() -> isKnownToAll(leader));
  }

  private boolean isKnownToAll(LeaderElection leader) {
    Optional<String> name = Optional.of(leader.config().identity());
    return nodes.stream().allMatch(node -> node.leader().equals(name));
  }

  @Test
  void everyoneKnowsTheLeaderAndItsAddress() {
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
  void whoStepsDownHandsOverLongBeforeTheLeaseWouldEnd() {
    council = QuorumFixture.of(3, folder, STEADY_LEASE);
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
    watch.assertSafe();
  }

  @Test
  void twoNodesAndAWitnessSuffice() {
    others.add(council.witness(2));
    start(0);
    start(1);
    LeaderElection first = awaitLeader();
    awaitAllKnow(first);

    first.close();

    await().atMost(LONG).until(() -> leader().filter(node -> node != first).isPresent());
    watch.assertSafe();
  }

  @Test
  void aMinorityElectsNobodyAndSaysWhoIsMissing() {
    LeaderElection alone = start(0);

    await()
        .atMost(LONG)
        .until(() -> String.valueOf(alone.status().store().problem()).contains("no saved vote"));
    assertThat(alone.isLeader()).isFalse();
    assertThat(alone.status().store().answered()).isFalse();
  }

  @Test
  void aLeaderLeftAloneSaysWhoIsMissingAndThatNobodyIsKnownToLead() {
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

    try (LogCapture lines = LogCapture.holding("node=" + alone.config().identity())) {
      nodes.stream().filter(node -> node != alone).forEach(LeaderElection::close);
      await().atMost(LONG).until(() -> alone.role() == RoleName.CANDIDATE);
      long enough = System.nanoTime() + LEASE.toNanos();
      await()
          .atMost(LONG)
          .until(
              () -> {
                assertThat(alone.role()).isEqualTo(RoleName.CANDIDATE);
                assertThat(alone.leader()).isEmpty();
                return System.nanoTime() - enough > 0;
              });

      assertThat(alone.status().explanation()).isEqualTo("the store gives no answer: " + why);
      assertThat(lines.list()).anyMatch(line -> line.contains("gives no answer why=\"" + why));
      assertThat(lines.list()).noneMatch(line -> line.contains("answers again"));
    }
  }

  @Test
  void aMemberWhoseBallotIsSpoiltFollowsAndNeverVotes() throws Exception {
    LeaderElection before = start(0);
    start(1);
    start(2);
    awaitAllKnow(awaitLeader());
    before.close();
    nodes.remove(before);
    Path ballot = folder.resolve("test+writer+m00/ballot");
    Files.writeString(ballot, "term 7\n", StandardCharsets.UTF_8);

    LeaderElection spoilt = start(0);

    awaitAllKnow(awaitLeader());
    assertThat(spoilt.status().explanation())
        .contains("this member does not vote: ")
        .contains("can't know how it voted");
    nodes.forEach(LeaderElection::stepDown);
    await().atMost(LONG).until(() -> leader().filter(this::isKnownToAll).isPresent());
    assertThat(spoilt.isLeader()).isFalse();
    assertThat(spoilt.metrics().counts().acquired()).isZero();
    nodes.stream().filter(node -> node != spoilt).forEach(LeaderElection::close);
    await()
        .atMost(LONG)
        .until(
            () ->
                String.valueOf(spoilt.status().store().problem())
                    .contains("can't know how it voted"));
    assertThat(Files.readString(ballot)).isEqualTo("term 7\n");
  }

  @Test
  void aSecondProcessOfTheSameMemberIsKeptOut() {
    LeaseStore first = council.witness(0);
    others.add(first);
    await().atMost(LONG).until(() -> Files.exists(folder.resolve("test+writer+m00/lock")));

    LeaseStore second = council.witness(0);
    others.add(second);

    LeaseResponse answer = second.ask(new LeaseRequest.Look()).toCompletableFuture().join();
    assertThat(answer.toString()).contains("is in use by").contains("same member id");
  }

  @Test
  void membersThatAllStartAgainWaitOutTheirPromisesAndElectAbove() {
    start(0);
    start(1);
    start(2);
    LeaderElection first = awaitLeader();
    awaitAllKnow(first);
    long epoch = first.epoch();
    nodes.forEach(LeaderElection::close);
    nodes.clear();
    long began = System.nanoTime();

    start(0);
    start(1);
    start(2);
    LeaderElection second = awaitLeader();

    assertThat(System.nanoTime() - began).isGreaterThan(LEASE.toNanos());
    assertThat(second.epoch()).isGreaterThan(epoch);
    watch.assertSafe();
  }
}
