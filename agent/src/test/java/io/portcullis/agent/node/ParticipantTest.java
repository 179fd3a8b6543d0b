package io.portcullis.agent.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.portcullis.agent.node.TransitionHistory.Transition;
import io.portcullis.election.inprocess.InProcessLease;
import io.portcullis.election.machine.RoleName;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.RecordVersion;
import io.portcullis.gate.AdmittedCall;
import io.portcullis.gate.Checkpoint;
import io.portcullis.gate.Gate;
import io.portcullis.gate.Refusal.Verdict;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ParticipantTest {
  private final InProcessLease lease = new InProcessLease();

  private static void awaitRole(ParticipantFixture member, RoleName role) {
    await().atMost(ParticipantFixture.LONG).until(() -> member.view().leadership().role() == role);
  }

  @Test
  void leaderHasOpenGateAndShowsIt() {
    try (ParticipantFixture member = ParticipantFixture.on(lease)) {
      awaitRole(member, RoleName.LEADER);

      ElectionView view = member.view();

      assertThat(member.gate().isOpen()).isTrue();
      assertThat(view.isLeader()).isTrue();
      assertThat(view.name()).isEqualTo(member.participant().name());
      assertThat(view.leadership().leader()).isEqualTo(member.identity());
      assertThat(view.leadership().leaderAddress()).isEqualTo("http://" + member.identity());
      assertThat(view.leadership().epoch()).isEqualTo(member.gate().epoch()).isPositive();
      assertThat(view.lease().remainingMillis()).isBetween(1L, 20_000L);
      assertThat(view.lease().heartbeatAgeMillis()).isNotNegative();
      assertThat(view.store().backend()).isEqualTo("trial");
      assertThat(view.leadership().why()).isNotBlank();
      assertThat(view.store().answered()).isTrue();
      assertThat(view.health().campaigning()).isTrue();
      assertThat(view.health().failure()).isNull();
      assertThat(view.activity().counts().acquired()).isEqualTo(1);
    }
  }

  @Test
  void roleIsNotLeaderWhileTheGateIsShut() {
    try (ParticipantFixture member = ParticipantFixture.withLongRenewInterval(lease)) {
      awaitRole(member, RoleName.LEADER);

      member.gate().shut();
      ElectionView view = member.view();

      assertThat(view.leadership().role()).isEqualTo(RoleName.CANDIDATE);
      assertThat(view.isLeader()).isFalse();
      assertThat(view.lease().remainingMillis()).isZero();
    }
  }

  @Test
  void secondNodeIsStandbyAndKnowsTheLeader() {
    try (ParticipantFixture first = ParticipantFixture.on(lease)) {
      awaitRole(first, RoleName.LEADER);
      try (ParticipantFixture second = ParticipantFixture.on(lease)) {
        await()
            .atMost(ParticipantFixture.LONG)
            .until(() -> first.identity().equals(second.view().leadership().leader()));

        ElectionView view = second.view();

        assertThat(view.leadership().role()).isEqualTo(RoleName.STANDBY);
        assertThat(view.leadership().epoch()).isEqualTo(first.view().leadership().epoch());
        assertThat(view.lease().remainingMillis()).isZero();
        assertThat(second.gate().isOpen()).isFalse();
        await()
            .atMost(ParticipantFixture.LONG)
            .until(() -> first.identity().equals(second.gate().leader()));
        await()
            .atMost(ParticipantFixture.LONG)
            .until(() -> !second.transitions().recent().isEmpty());
        assertThat(second.transitions().recent()).noneMatch(Transition::leading);
        assertThat(second.gate().leaderAddress()).isEqualTo("http://" + first.identity());
      }
    }
  }

  @Test
  void staleLeaderIsFlagged() {
    RecordVersion lastHeartbeat = new RecordVersion("life", "b-990-11aa", 7, "v1");
    try (ParticipantFixture member =
        ParticipantFixture.missingSoon(new UnchangingStore(lastHeartbeat))) {
      await().atMost(ParticipantFixture.LONG).until(() -> member.view().lease().stale());

      assertThat(member.view().leadership().role()).isEqualTo(RoleName.CANDIDATE);
      assertThat(member.view().lease().heartbeatAgeMillis()).isGreaterThanOrEqualTo(300);
    }
  }

  /** A store that always shows one record, and grants nothing. */
  private record UnchangingStore(RecordVersion stamp) implements LeaseStore {
    @Override
    public CompletionStage<LeaseResponse> ask(LeaseRequest request) {
      Duration lease = Duration.ofMillis(300);
      return CompletableFuture.completedFuture(
          new LeaseResponse.HeldByOther(new LeaseRecord(stamp, null, lease, lease, false)));
    }

    @Override
    public void close() {}
  }

  @Test
  void stepDownMovesLeadershipToAnotherNode() {
    try (ParticipantFixture first = ParticipantFixture.on(lease)) {
      awaitRole(first, RoleName.LEADER);
      long epoch = first.gate().epoch();
      try (ParticipantFixture second = ParticipantFixture.on(lease)) {
        first.participant().stepDown();

        awaitRole(second, RoleName.LEADER);

        assertThat(first.gate().isOpen()).isFalse();
        assertThat(second.gate().epoch()).isGreaterThan(epoch);
      }
    }
  }

  @Test
  void nodeLeadsOnlyAfterAHealthySample() {
    try (ParticipantFixture member = ParticipantFixture.unchecked(lease)) {
      await().atMost(ParticipantFixture.LONG).until(() -> member.view().store().answered());
      member.participant().setEligible(false, "not eligible: http x: status 503");
      assertThat(member.view().leadership().role()).isEqualTo(RoleName.INELIGIBLE);
      assertThat(member.view().leadership().why()).isEqualTo("not eligible: http x: status 503");
      assertThat(member.view().health().eligible()).isFalse();
      assertThat(member.view().health().campaigning()).isTrue();
      assertThat(member.gate().isOpen()).isFalse();

      member.participant().setEligible(true, "eligible");

      awaitRole(member, RoleName.LEADER);
      assertThat(member.view().health().eligible()).isTrue();
    }
  }

  @Test
  void unhealthyLeaderYieldsAndReturnsWhenHealthy() {
    try (ParticipantFixture member = ParticipantFixture.unchecked(lease)) {
      member.participant().setEligible(true, "eligible");
      awaitRole(member, RoleName.LEADER);
      long epoch = member.gate().epoch();

      member.participant().setEligible(false, "not eligible: tcp y: refused");
      awaitRole(member, RoleName.INELIGIBLE);
      assertThat(member.gate().isOpen()).isFalse();
      await()
          .atMost(ParticipantFixture.LONG)
          .untilAsserted(
              () ->
                  assertThat(member.transitions().recent())
                      .extracting(Transition::what, Transition::why)
                      .contains(tuple("lost leadership", "not eligible: tcp y: refused")));

      member.participant().setEligible(true, "eligible");
      awaitRole(member, RoleName.LEADER);
      assertThat(member.gate().epoch()).isGreaterThan(epoch);
    }
  }

  @Test
  void healthDoesNotOverrideAnUnreliableGate() {
    try (ParticipantFixture member = ParticipantFixture.unchecked(lease)) {
      member.participant().setEligible(true, "eligible");
      awaitRole(member, RoleName.LEADER);

      member.participant().neverLeadAgain();
      member.participant().setEligible(false, "not eligible: tcp y: refused");
      member.participant().setEligible(true, "eligible");

      awaitRole(member, RoleName.INELIGIBLE);
      await()
          .atMost(ParticipantFixture.LONG)
          .during(Duration.ofMillis(300))
          .until(() -> !member.gate().isOpen());
      assertThat(member.view().leadership().why()).contains("can't be relied on");
    }
  }

  @Test
  void namedHandoverIsRefusedIfTheStoreHasNoNames() {
    try (ParticipantFixture member = ParticipantFixture.on(lease)) {
      awaitRole(member, RoleName.LEADER);

      assertThatThrownBy(() -> member.participant().stepDown(Optional.of("b")))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("is not handed over to 'b': this kind of store can't");

      assertThat(member.gate().isOpen()).isTrue();
    }
  }

  @Test
  void drainedNodeLeadsAgainAfterResume() {
    try (ParticipantFixture member = ParticipantFixture.on(lease)) {
      awaitRole(member, RoleName.LEADER);
      long epoch = member.gate().epoch();

      member.participant().drain(Duration.ofSeconds(5));
      awaitRole(member, RoleName.DRAINED);

      assertThat(member.gate().isOpen()).isFalse();

      member.participant().resume();
      awaitRole(member, RoleName.LEADER);

      assertThat(member.gate().isOpen()).isTrue();
      assertThat(member.gate().epoch()).isGreaterThan(epoch);
    }
  }

  @Test
  void drainShutsTheGateAndKeepsTheLeaseUntilCallsEnd() {
    try (ParticipantFixture member = ParticipantFixture.on(lease)) {
      Checkpoint checkpoint =
          Gate.addCheckpoint("slow", member.gate(), (each, sinceNanos) -> Verdict.SKIP);
      awaitRole(member, RoleName.LEADER);
      assertThat(Gate.enter(checkpoint.slot())).isFalse();

      member.participant().drain(ParticipantFixture.LONG);
      await().atMost(ParticipantFixture.LONG).until(() -> !member.gate().isOpen());

      try (ParticipantFixture other = ParticipantFixture.on(lease)) {
        await()
            .atMost(ParticipantFixture.LONG)
            .until(() -> member.identity().equals(other.view().leadership().leader()));
        await()
            .atMost(ParticipantFixture.LONG)
            .during(Duration.ofMillis(300))
            .until(() -> !other.gate().isOpen());
        Gate.exit(checkpoint.slot());

        await().atMost(Duration.ofMinutes(2)).until(() -> other.gate().isOpen());
      }
    }
  }

  @Test
  void drainInterruptsCallsOnlyAfterItsTimeout() throws Exception {
    Duration bound = Duration.ofMillis(400);
    try (ParticipantFixture member = ParticipantFixture.on(lease)) {
      Checkpoint checkpoint =
          Gate.addCheckpoint("slow", member.gate(), (each, sinceNanos) -> Verdict.SKIP);
      awaitRole(member, RoleName.LEADER);
      CompletableFuture<Long> interruptedAt = new CompletableFuture<>();
      CountDownLatch inside = new CountDownLatch(1);
      Thread caller =
          new Thread(() -> lastUntilInterrupted(checkpoint, inside, interruptedAt), "caller");
      caller.setDaemon(true);
      caller.start();
      inside.await();

      long orderedAt = System.nanoTime();
      member.participant().drain(bound);

      long after = interruptedAt.get(120, TimeUnit.SECONDS) - orderedAt;
      assertThat(Duration.ofNanos(after)).isGreaterThanOrEqualTo(bound);
    }
  }

  private static void lastUntilInterrupted(
      Checkpoint checkpoint, CountDownLatch inside, CompletableFuture<Long> interruptedAt) {
    AdmittedCall passage = Objects.requireNonNull(Gate.pass(checkpoint.slot(), true));
    inside.countDown();
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      interruptedAt.complete(System.nanoTime());
    } finally {
      passage.leave(null, false);
    }
  }

  @Test
  void closeEndsPendingWaits() throws Exception {
    ParticipantFixture member = ParticipantFixture.notReady(lease);
    CompletableFuture<Boolean> opened = new CompletableFuture<>();
    Thread waiting = new Thread(() -> opened.complete(awaitOpen(member)), "waiting");
    waiting.setDaemon(true);
    waiting.start();
    await()
        .atMost(ParticipantFixture.LONG)
        .until(() -> waiting.getState() == Thread.State.TIMED_WAITING);

    member.close();

    assertThat(opened.get(120, TimeUnit.SECONDS)).isFalse();
  }

  private static boolean awaitOpen(ParticipantFixture member) {
    try {
      return member.gate().awaitOpen(TimeUnit.MINUTES.toNanos(10));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void invalidDrainDurationIsRefused() {
    try (ParticipantFixture member = ParticipantFixture.on(lease)) {
      awaitRole(member, RoleName.LEADER);

      assertThatThrownBy(() -> member.participant().drain(Duration.ofSeconds(-1)))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> member.participant().drain(Duration.ofSeconds(Long.MAX_VALUE)))
          .isInstanceOf(IllegalArgumentException.class);

      assertThat(member.view().isLeader()).isTrue();
    }
  }

  @Test
  void nodeWithUnreliableGateNeverLeadsAgain() {
    try (ParticipantFixture member = ParticipantFixture.on(lease)) {
      awaitRole(member, RoleName.LEADER);

      member.participant().neverLeadAgain();
      awaitRole(member, RoleName.INELIGIBLE);
      member.participant().resume();
      member.participant().allowCampaign();
      try (ParticipantFixture other = ParticipantFixture.on(lease)) {
        awaitRole(other, RoleName.LEADER);
      }

      assertThat(member.gate().isOpen()).isFalse();
      assertThat(member.view().leadership().role()).isEqualTo(RoleName.INELIGIBLE);
    }
  }

  @Test
  void nodeDoesNotCampaignBeforeItIsReady() {
    try (ParticipantFixture member = ParticipantFixture.notReady(lease)) {
      await().atMost(ParticipantFixture.LONG).until(() -> member.view().store().answered());

      assertThat(member.view().health().campaigning()).isFalse();
      assertThat(member.view().isLeader()).isFalse();
      assertThat(member.gate().isOpen()).isFalse();

      member.participant().allowCampaign();
      awaitRole(member, RoleName.LEADER);

      assertThat(member.view().health().campaigning()).isTrue();
    }
  }

  @Test
  void closeReleasesTheLease() {
    ParticipantFixture first = ParticipantFixture.on(lease);
    awaitRole(first, RoleName.LEADER);

    first.close();

    assertThat(first.gate().isOpen()).isFalse();
    assertThat(first.view().leadership().role()).isEqualTo(RoleName.OFF);
    try (ParticipantFixture second = ParticipantFixture.on(lease)) {
      await().atMost(Duration.ofMinutes(2)).until(() -> second.gate().isOpen());
    }
  }

  @Test
  void transitionsAreRecordedInOrder() {
    ParticipantFixture member = ParticipantFixture.on(lease);
    awaitRole(member, RoleName.LEADER);
    member.close();

    assertThat(member.transitions().recent())
        .extracting(Transition::what)
        .containsSubsequence("became leader", "lost leadership")
        .contains("new leader");
    assertThat(member.transitions().recent())
        .filteredOn(Transition::leading)
        .extracting(Transition::what)
        .containsExactlyInAnyOrder("became leader", "new leader");
    assertThat(member.transitions().recent())
        .allSatisfy(each -> assertThat(each.election()).isEqualTo(member.participant().name()));
  }
}
