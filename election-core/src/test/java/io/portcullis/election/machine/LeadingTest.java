package io.portcullis.election.machine;

import static io.portcullis.election.machine.ElectionDriver.OTHER;
import static io.portcullis.election.machine.ElectionDriver.SELF;
import static io.portcullis.election.machine.ElectionDriver.leading;
import static io.portcullis.election.machine.ElectionDriver.record;
import static io.portcullis.election.machine.ElectionDriver.timing;
import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse.Granted;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeadingTest {
  @Test
  void grantCountsFromSendingAndEndsAMarginEarly() {
    ElectionDriver node = ElectionDriver.standby().after(400).granted(7);

    assertThat(node.openUntil()).isEqualTo(10_000 - 200);
  }

  @Test
  void renewalDeadlineCountsFromItsSending() {
    ElectionDriver node = leading(7).after(3_000).tick().after(700).granted(7);

    assertThat(node.openUntil()).isEqualTo(3_000 + 9_800);
  }

  @Test
  void unknownAnswerNeverExtendsTheDeadline() {
    ElectionDriver node = leading(7).after(3_000).tick().unknown();

    assertThat(node.openUntil()).isNull();
    assertThat(node.role())
        .isInstanceOfSatisfying(
            Leading.class,
            leading -> assertThat(leading.grant().deadlineNanos()).isEqualTo(9_800_000_000L));
  }

  @Test
  void gateShutsWhenTheLeaseExpires() {
    ElectionDriver node = leading(7).after(9_800).tick();

    assertThat(node.shut()).isTrue();
    assertThat(node.role()).isInstanceOf(Lapsed.class);
    assertThat(node.events())
        .containsExactly(
            new ElectionEvent.StoppedLeading(7, LossReason.LEASE_RAN_OUT, "lease ran out"));
  }

  @Test
  void responseOlderThanTheLeaseOpensNoGate() {
    ElectionDriver node =
        leading(
                timing().holdAfterLapse(Duration.ofSeconds(20)).askTimeout(Duration.ofSeconds(20)),
                7)
            .after(3_000)
            .tick()
            .after(9_900)
            .tick();

    node.granted(7);

    assertThat(node.openUntil()).isNull();
    assertThat(node.asked()).isInstanceOf(LeaseRequest.Renew.class);
  }

  @Test
  void lateRenewalReopensUnderTheSameEpoch() {
    ElectionDriver node =
        leading(
                timing().holdAfterLapse(Duration.ofSeconds(20)).askTimeout(Duration.ofSeconds(20)),
                7)
            .after(3_000)
            .tick()
            .after(7_000)
            .tick();
    assertThat(node.role()).isInstanceOf(Lapsed.class);

    node.granted(7);

    assertThat(node.openUntil()).isEqualTo(3_000 + 9_800);
    assertThat(node.events())
        .containsExactly(new ElectionEvent.StartedLeading(7, "lease confirmed"));
  }

  @Test
  void failedLastRetryEndsLeadership() {
    ElectionDriver node = leading(7).after(3_000).tick().unknown();
    node.after(100).tick().unknown();
    node.after(200).tick().unknown();

    assertThat(node.shut()).isTrue();
    assertThat(node.role()).isInstanceOf(Draining.class);
  }

  @Test
  void renewalHeldByOtherShutsAndSpendsTheEpoch() {
    ElectionDriver node = leading(7).after(3_000).tick().sees(record(OTHER, 8, "v1"));

    assertThat(node.effects().get(0)).isEqualTo(new Effect.ShutGate());
    assertThat(node.role()).isInstanceOf(Standby.class);
    assertThat(node.role().memory().spentEpoch()).isEqualTo(7);
    assertThat(node.events()).contains(new ElectionEvent.NewLeader(new Leader(OTHER, null, 8)));
  }

  @Test
  void renewalUnderAnotherEpochEndsLeadership() {
    ElectionDriver node = leading(7).after(3_000).tick().granted(8);

    assertThat(node.shut()).isTrue();
    assertThat(node.openUntil()).isNull();
  }

  @Test
  void lostEntryIsReleasedOnlyAfterCallsEnd() {
    ElectionDriver node = leading(7).calls(1).after(3_000).tick().sees(record(SELF, 7, "v1"));
    assertThat(node.shut()).isTrue();

    assertThat(node.after(5).tick().asked()).isNull();
    assertThat(node.calls(0).after(5).tick().asked())
        .isEqualTo(new LeaseRequest.Release(SELF, 7, "life-1"));
  }

  @Test
  void wallClockStepShutsTheGateUntilANewRenewal() {
    ElectionDriver node = leading(7).after(1_000).wallJumps(60_000).tick();
    assertThat(node.shut()).isTrue();
    assertThat(node.events())
        .extracting(event -> ((ElectionEvent.StoppedLeading) event).reason())
        .isEqualTo(List.of(LossReason.CLOCKS_DISAGREE));

    node.after(1).tick();
    assertThat(node.asked()).isInstanceOf(LeaseRequest.Renew.class);
    node.after(1).granted(7);

    assertThat(node.openUntil()).isEqualTo(1_001 + 9_800);
    assertThat(node.after(1_000).tick().shut()).isFalse();
  }

  @Test
  void renewalSentBeforeAClockStepOpensNoGate() {
    ElectionDriver node = leading(7).after(3_000).tick();
    long sentBefore = node.pendingSequence();
    node.wallJumps(60_000).tick();

    node.answer(sentBefore, new Granted(7, "life-1"));

    assertThat(node.openUntil()).isNull();
    assertThat(node.role()).isInstanceOf(Lapsed.class);
  }

  @Test
  void hintMakesTheLeaderRenewAtOnce() {
    ElectionDriver node = leading(7).after(100).hint();

    assertThat(node.asked()).isInstanceOf(LeaseRequest.Renew.class);
  }

  @Test
  void hintRightAfterARequestIsNotLost() {
    ElectionDriver node = leading(7).after(1).hint();
    assertThat(node.effects()).noneMatch(Effect.Ask.class::isInstance);

    node.after(100).tick();

    assertThat(node.asked()).isInstanceOf(LeaseRequest.Renew.class);
  }

  @Test
  void hintDuringARenewalTriggersAnotherOne() {
    ElectionDriver node = leading(7).after(3_000).tick().after(10).hint();
    assertThat(node.asked()).isNull();

    node.after(300).granted(7);
    assertThat(node.openUntil()).isEqualTo(3_000 + 9_800);

    assertThat(node.tick().asked()).isInstanceOf(LeaseRequest.Renew.class);
    assertThat(node.granted(7).tick().asked()).isNull();
  }

  @Test
  void hintDuringAnUnansweredRenewalShortensThePause() {
    ElectionDriver node = leading(7).after(3_000).tick().after(10).hint();

    node.after(300).unknown();

    assertThat(node.openUntil()).isNull();
    assertThat(node.tick().asked()).isInstanceOf(LeaseRequest.Renew.class);
  }

  @Test
  void hintDuringAFastRenewalIsRateLimited() {
    ElectionDriver node = leading(7).after(3_000).tick().after(1).hint().after(1).granted(7);

    assertThat(node.tick().asked()).isNull();
    assertThat(node.after(100).tick().asked()).isInstanceOf(LeaseRequest.Renew.class);
  }

  @Test
  void leaderIsNotifiedOfItselfAsNewLeader() {
    ElectionDriver node = leading(7);

    assertThat(node.events())
        .containsExactly(
            new ElectionEvent.StartedLeading(7, "lease acquired"),
            new ElectionEvent.NewLeader(new Leader(SELF, null, 7)));
  }
}
