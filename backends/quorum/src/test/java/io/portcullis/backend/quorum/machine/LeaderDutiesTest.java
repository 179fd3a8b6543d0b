package io.portcullis.backend.quorum.machine;

import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.A;
import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.C;
import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.CLUSTER;
import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.LEASE;
import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.backend.quorum.machine.QuorumMessage.Heartbeat;
import io.portcullis.backend.quorum.machine.QuorumMessage.HeartbeatReply;
import io.portcullis.backend.quorum.machine.QuorumMessage.Released;
import io.portcullis.backend.quorum.machine.QuorumMessage.ReleasedReply;
import io.portcullis.election.store.LeaseResponse;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests how an elected member renews and releases leadership, in term 2. */
class LeaderDutiesTest {
  private static final LeaseResponse GRANTED = new LeaseResponse.Granted(2, CLUSTER);

  @Test
  void leaseIsGrantedByPromisesOfAMajority() {
    MachineDriver leader = MachineDriverBuilder.of(5).elected();
    assertThat(leader.sent(Heartbeat.class))
        .hasSize(4)
        .allMatch(heartbeat -> heartbeat.term() == 2 && heartbeat.leaseMillis() == LEASE);
    assertThat(leader.answers()).isEmpty();

    assertThat(leader.promises(A).answers()).isEmpty();
    assertThat(leader.promises(C).answers()).containsExactly(GRANTED);
  }

  @Test
  void leaderSavesItsPromiseBeforeTheFirstHeartbeat() {
    MachineDriver leader = MachineDriverBuilder.of(3).elected();

    assertThat(leader.effects())
        .startsWith(new QuorumEffect.Save(new HardState(2, "b", Duration.ofMillis(LEASE))));
  }

  @Test
  void promiseMajorityCountsAllConfiguredMembers() {
    MachineDriver leader = MachineDriverBuilder.of(5).elected().linked(A);

    assertThat(leader.promises(A).answers()).isEmpty();
    assertThat(leader.promises(A).answers()).isEmpty();
  }

  @Test
  void renewalNeedsPromisesForItsOwnHeartbeat() {
    MachineDriver leader = MachineDriverBuilder.of(3).elected().promises(A);

    leader.after(3_000).renew(2);
    assertThat(leader.answers()).isEmpty();
    assertThat(leader.sent(Heartbeat.class)).hasSize(2);

    assertThat(leader.promises(A).answers()).containsExactly(GRANTED);
  }

  @Test
  void promiseForAnEarlierHeartbeatGrantsNothing() {
    MachineDriver leader = MachineDriverBuilder.of(3).elected();
    Heartbeat earlier = leader.newest(Heartbeat.class);
    leader.after(3_000).renew(2);

    assertThat(leader.promisesFor(earlier, A).answers()).isEmpty();
    assertThat(leader.promises(C).answers()).containsExactly(GRANTED);
  }

  @Test
  void supersededRequestIsAnsweredUnknown() {
    MachineDriver leader = MachineDriverBuilder.of(3).elected();

    leader.after(3_000).renew(2);

    assertThat(leader.answers())
        .containsExactly(new LeaseResponse.Unknown("asked again meanwhile"));
  }

  @Test
  void promiseInAnotherTermGrantsNothing() {
    MachineDriver leader = MachineDriverBuilder.of(3).elected();
    long sequence = leader.newest(Heartbeat.class).sequence();

    leader.receives(A, new HeartbeatReply(sequence, 1, true, false, 0));

    assertThat(leader.answers()).isEmpty();
  }

  @Test
  void noHeartbeatWithoutRenewalRequest() {
    MachineDriver leader = MachineDriverBuilder.of(3).elected().promises(A);

    for (long passed = 0; passed < 2 * LEASE; passed += 500) {
      assertThat(leader.after(500).tick().sent(Heartbeat.class)).isEmpty();
    }
  }

  @Test
  void renewalInAnotherTermIsRefused() {
    MachineDriver leader = MachineDriverBuilder.of(3).elected().promises(A);

    leader.renew(1);

    assertThat(leader.answers()).hasOnlyElementsOfType(LeaseResponse.HeldByOther.class).hasSize(1);
    assertThat(leader.sent(Heartbeat.class)).isEmpty();
  }

  @Test
  void reportedLeaseIsRoundedUp() {
    assertThat(QuorumConfig.wholeMillis(Duration.ofNanos(10_000_000_001L))).isEqualTo(10_001);
    assertThat(QuorumConfig.wholeMillis(Duration.ofSeconds(10))).isEqualTo(10_000);
  }

  @Test
  void leadershipEndsOneLeaseAfterLastPromisedHeartbeat() {
    MachineDriver leader = MachineDriverBuilder.of(3).elected().after(2_000).promises(A);
    leader.after(1_000).renew(2).after(LEASE - 3_001).renew(2);
    assertThat(leader.sent(Heartbeat.class)).hasSize(2);

    leader.after(1).tick();
    assertThat(leader.answers()).hasOnlyElementsOfType(LeaseResponse.HeldByOther.class).hasSize(1);

    assertThat(leader.promises(A).answers()).isEmpty();
    assertThat(leader.renew(2).sent(Heartbeat.class)).isEmpty();
  }

  @Test
  void leadershipEndsWhenAMajorityRefuses() {
    MachineDriver leader = MachineDriverBuilder.of(3).elected();
    long sequence = leader.newest(Heartbeat.class).sequence();
    HeartbeatReply refusal = new HeartbeatReply(sequence, 9, false, false, 0);

    leader.receives(A, refusal).receives(C, refusal);

    assertThat(leader.answers()).hasOnlyElementsOfType(LeaseResponse.HeldByOther.class).hasSize(1);
    assertThat(leader.renew(2).sent(Heartbeat.class)).isEmpty();
  }

  @Test
  void leadershipEndsWhenAnotherLeadsInAHigherTerm() {
    MachineDriver leader = MachineDriverBuilder.of(3).elected().promises(A);

    assertThat(leader.promisesTo(C, 3, LEASE)).isTrue();

    assertThat(leader.renew(2).sent(Heartbeat.class)).isEmpty();
  }

  @Test
  void leaderVotesForNobodyUntilItsOwnPromiseEnds() {
    MachineDriver leader = MachineDriverBuilder.of(3).elected().promises(A);

    assertThat(leader.after(LEASE - 1).votesFor(C, 9)).isFalse();
    assertThat(leader.after(1).votesFor(C, 9)).isTrue();
  }

  @Test
  void releaseCompletesOnMajorityAcknowledgement() {
    MachineDriver leader = MachineDriverBuilder.of(3).elected().promises(A).release(2);
    assertThat(leader.sent(Released.class)).hasSize(2).allMatch(released -> released.term() == 2);
    assertThat(leader.answers()).isEmpty();

    leader.receives(A, new ReleasedReply(leader.newest(Released.class).sequence(), 2));

    assertThat(leader.answers()).hasOnlyElementsOfType(LeaseResponse.HeldByOther.class).hasSize(1);
  }

  @Test
  void releaseEndsTheLeadersOwnPromise() {
    MachineDriver leader = MachineDriverBuilder.of(3).elected().promises(A).release(2);

    assertThat(leader.votesFor(C, 3)).isTrue();
  }

  @Test
  void releasedTermIsNeverGrantedOrRenewedAgain() {
    MachineDriver leader =
        MachineDriverBuilder.of(3).elected().promises(A).after(3_000).renew(2).release(2);

    assertThat(leader.promises(A).answers()).isEmpty();
    leader.renew(2);
    assertThat(leader.answers()).hasOnlyElementsOfType(LeaseResponse.HeldByOther.class).hasSize(1);
    assertThat(leader.sent(Heartbeat.class)).isEmpty();
  }

  @Test
  void releaseOfAnotherTermIsNotSent() {
    MachineDriver leader = MachineDriverBuilder.of(3).elected().promises(A).release(1);

    assertThat(leader.sent(Released.class)).isEmpty();
    assertThat(leader.renew(2).promises(A).answers()).containsExactly(GRANTED);
  }

  @Test
  void releaseNamesTheHighestRankedWillingMember() {
    MachineDriver leader = MachineDriverBuilder.of(5).elected();
    long sequence = leader.newest(Heartbeat.class).sequence();
    leader.receives(A, new HeartbeatReply(sequence, 2, true, true, 7));
    leader.receives(C, new HeartbeatReply(sequence, 2, true, true, 7));
    leader.receives(MachineDriverBuilder.D, new HeartbeatReply(sequence, 2, true, true, 6));
    leader.receives(MachineDriverBuilder.E, new HeartbeatReply(sequence, 2, true, false, 9));

    leader.release(2);

    assertThat(leader.newest(Released.class).next()).isEqualTo(C);
  }
}
