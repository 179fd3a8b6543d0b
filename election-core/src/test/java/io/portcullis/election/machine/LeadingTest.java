package io.portcullis.election.machine;

import static io.portcullis.election.machine.Puppet.OTHER;
import static io.portcullis.election.machine.Puppet.SELF;
import static io.portcullis.election.machine.Puppet.leading;
import static io.portcullis.election.machine.Puppet.record;
import static io.portcullis.election.machine.Puppet.timing;
import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.store.Answer.Granted;
import io.portcullis.election.store.Request;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeadingTest {
  @Test
  void aGrantCountsFromTheSendingOfItsRequestAndEndsAMarginBeforeTheLease() {
    Puppet node = Puppet.standby().after(400).granted(7);

    assertThat(node.openUntil()).isEqualTo(10_000 - 200);
  }

  @Test
  void aRenewalMovesTheDeadlineByItsOwnSendingNotByItsReply() {
    Puppet node = leading(7).after(3_000).tick().after(700).granted(7);

    assertThat(node.openUntil()).isEqualTo(3_000 + 9_800);
  }

  @Test
  void unknownAnswerNeverExtendsTheDeadline() {
    Puppet node = leading(7).after(3_000).tick().unknown();

    assertThat(node.openUntil()).isNull();
    assertThat(node.role())
        .isInstanceOfSatisfying(
            Leading.class,
            leading -> assertThat(leading.grant().deadlineNanos()).isEqualTo(9_800_000_000L));
  }

  @Test
  void theGateShutsWhenTheLeaseHasRunOut() {
    Puppet node = leading(7).after(9_800).tick();

    assertThat(node.shut()).isTrue();
    assertThat(node.role()).isInstanceOf(Lapsed.class);
    assertThat(node.events())
        .containsExactly(new Event.StoppedLeading(7, Ending.LEASE_RAN_OUT, "lease ran out"));
  }

  @Test
  void aReplyOlderThanTheLeaseOpensNothing() {
    Puppet node =
        leading(
                timing().holdAfterLapse(Duration.ofSeconds(20)).askTimeout(Duration.ofSeconds(20)),
                7)
            .after(3_000)
            .tick()
            .after(9_900)
            .tick();

    node.granted(7);

    assertThat(node.openUntil()).isNull();
    assertThat(node.asked()).isInstanceOf(Request.Renew.class);
  }

  @Test
  void aLateHeartbeatThatSucceedsAfterAllReopensUnderTheSameEpoch() {
    Puppet node =
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
    assertThat(node.events()).containsExactly(new Event.StartedLeading(7, "lease confirmed"));
  }

  @Test
  void aNodeStepsDownAfterTheLastRetryFailed() {
    Puppet node = leading(7).after(3_000).tick().unknown();
    node.after(100).tick().unknown();
    node.after(200).tick().unknown();

    assertThat(node.shut()).isTrue();
    assertThat(node.role()).isInstanceOf(Draining.class);
  }

  @Test
  void aRenewalRefusedForAnotherHolderShutsAtOnceAndSpendsTheEpoch() {
    Puppet node = leading(7).after(3_000).tick().sees(record(OTHER, 8, "v1"));

    assertThat(node.effects().get(0)).isEqualTo(new Effect.ShutGate());
    assertThat(node.role()).isInstanceOf(Standby.class);
    assertThat(node.role().memory().spentEpoch()).isEqualTo(7);
    assertThat(node.events()).contains(new Event.NewLeader(new Leader(OTHER, null, 8)));
  }

  @Test
  void aRenewalGrantedUnderAnotherEpochIsALoss() {
    Puppet node = leading(7).after(3_000).tick().granted(8);

    assertThat(node.shut()).isTrue();
    assertThat(node.openUntil()).isNull();
  }

  @Test
  void aLostEntryIsReleasedOnlyAfterCallsHaveEnded() {
    Puppet node = leading(7).calls(1).after(3_000).tick().sees(record(SELF, 7, "v1"));
    assertThat(node.shut()).isTrue();

    assertThat(node.after(5).tick().asked()).isNull();
    assertThat(node.calls(0).after(5).tick().asked())
        .isEqualTo(new Request.Release(SELF, 7, "life-1"));
  }

  @Test
  void aStepOfTheWallClockShutsTheGateUntilAFreshRenewal() {
    Puppet node = leading(7).after(1_000).wallJumps(60_000).tick();
    assertThat(node.shut()).isTrue();
    assertThat(node.events())
        .extracting(event -> ((Event.StoppedLeading) event).ending())
        .isEqualTo(List.of(Ending.CLOCKS_DISAGREE));

    node.after(1).tick();
    assertThat(node.asked()).isInstanceOf(Request.Renew.class);
    node.after(1).granted(7);

    assertThat(node.openUntil()).isEqualTo(1_001 + 9_800);
    assertThat(node.after(1_000).tick().shut()).isFalse();
  }

  @Test
  void aRenewalSentBeforeAStepOfTheClocksOpensNothing() {
    Puppet node = leading(7).after(3_000).tick();
    long sentBefore = node.pendingSequence();
    node.wallJumps(60_000).tick();

    node.answer(sentBefore, new Granted(7, "life-1"));

    assertThat(node.openUntil()).isNull();
    assertThat(node.role()).isInstanceOf(Lapsed.class);
  }

  @Test
  void aHintMakesTheLeaderAskAtOnce() {
    Puppet node = leading(7).after(100).hint();

    assertThat(node.asked()).isInstanceOf(Request.Renew.class);
  }

  @Test
  void aHintRightAfterARequestIsNotForgotten() {
    Puppet node = leading(7).after(1).hint();
    assertThat(node.effects()).noneMatch(Effect.Ask.class::isInstance);

    node.after(100).tick();

    assertThat(node.asked()).isInstanceOf(Request.Renew.class);
  }

  @Test
  void aHintDuringARenewalMakesTheLeaderAskAgainOnceThatIsAnswered() {
    Puppet node = leading(7).after(3_000).tick().after(10).hint();
    assertThat(node.asked()).isNull();

    node.after(300).granted(7);
    assertThat(node.openUntil()).isEqualTo(3_000 + 9_800);

    assertThat(node.tick().asked()).isInstanceOf(Request.Renew.class);
    assertThat(node.granted(7).tick().asked()).isNull();
  }

  @Test
  void aHintDuringARenewalThatIsNotAnsweredShortensThePause() {
    Puppet node = leading(7).after(3_000).tick().after(10).hint();

    node.after(300).unknown();

    assertThat(node.openUntil()).isNull();
    assertThat(node.tick().asked()).isInstanceOf(Request.Renew.class);
  }

  @Test
  void aHintDuringARenewalAnsweredAtOnceIsNotTakenUpInAHurry() {
    Puppet node = leading(7).after(3_000).tick().after(1).hint().after(1).granted(7);

    assertThat(node.tick().asked()).isNull();
    assertThat(node.after(100).tick().asked()).isInstanceOf(Request.Renew.class);
  }

  @Test
  void everyNodeHearsOfItselfAsNewLeader() {
    Puppet node = leading(7);

    assertThat(node.events())
        .containsExactly(
            new Event.StartedLeading(7, "lease acquired"),
            new Event.NewLeader(new Leader(SELF, null, 7)));
  }
}
