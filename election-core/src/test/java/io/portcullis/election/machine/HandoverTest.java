package io.portcullis.election.machine;

import static io.portcullis.election.machine.ElectionDriver.OTHER;
import static io.portcullis.election.machine.ElectionDriver.SELF;
import static io.portcullis.election.machine.ElectionDriver.leading;
import static io.portcullis.election.machine.ElectionDriver.record;
import static io.portcullis.election.machine.ElectionDriver.released;
import static io.portcullis.election.machine.ElectionDriver.standby;
import static io.portcullis.election.machine.ElectionDriver.timing;
import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.machine.WithdrawalReasons.WithdrawalReason;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse.Granted;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HandoverTest {
  private static final Duration DRAIN = Duration.ofSeconds(5);

  @Test
  void handoverShutsDrainsReleasesThenNotifies() {
    ElectionDriver node = leading(7).calls(2).command(new Command.StepDown(DRAIN));
    assertThat(node.effects()).containsExactly(new Effect.ShutGate());

    assertThat(node.after(5).tick().effects()).isEmpty();

    node.calls(0).after(5).tick();
    assertThat(node.asked()).isEqualTo(new LeaseRequest.Release(SELF, 7, "life-1"));
    assertThat(node.events()).isEmpty();

    node.after(5).sees(released(SELF, 7, "v2"));
    assertThat(node.events())
        .containsExactly(
            new ElectionEvent.StoppedLeading(7, LossReason.STEPPED_DOWN, "stepped down"));
  }

  @Test
  void callCountFromBeforeTheShutIsNotTrusted() {
    ElectionDriver node = leading(7).calls(0).command(new Command.StepDown(DRAIN));

    assertThat(node.asked()).isNull();
    assertThat(node.calls(1).tick().asked()).isNull();
  }

  @Test
  void leaseIsRenewedDuringDrainWithShutGate() {
    ElectionDriver node =
        leading(7).calls(1).command(new Command.StepDown(DRAIN)).after(1_500).tick();
    assertThat(node.asked()).isInstanceOf(LeaseRequest.Renew.class);

    assertThat(node.after(10).granted(7).openUntil()).isNull();
  }

  @Test
  void drainTimeoutEndsTheWaitForCalls() {
    ElectionDriver node =
        leading(7).calls(1).command(new Command.StepDown(DRAIN)).after(5_000).tick();

    assertThat(node.asked()).isEqualTo(new LeaseRequest.Release(SELF, 7, "life-1"));
  }

  @Test
  void drainWithoutRenewalsEndsWithTheLease() {
    ElectionDriver node =
        leading(7).calls(1).after(2_000).command(new Command.StepDown(Duration.ofMinutes(5)));
    node.after(7_800);

    node.tick();

    assertThat(node.asked()).isNull();
    assertThat(node.role()).isInstanceOf(Inactive.class);
    assertThat(node.events())
        .containsExactly(
            new ElectionEvent.StoppedLeading(7, LossReason.STEPPED_DOWN, "stepped down"));
  }

  @Test
  void unansweredReleaseNeverReopensItsEpoch() {
    ElectionDriver node = leading(7).command(new Command.StepDown(DRAIN)).tick();
    long release = node.pendingSequence();
    node.after(1_000).tick();
    assertThat(node.role()).isInstanceOf(Inactive.class);

    node.answer(release, new Granted(7, "life-1"));

    assertThat(node.openUntil()).isNull();
  }

  @Test
  void steppedDownNodeReturnsWhenAnotherLeads() {
    ElectionDriver node = leading(7).command(new Command.StepDown(DRAIN)).tick();
    node.sees(released(SELF, 7, "v2"));
    assertThat(node.role()).isInstanceOf(Inactive.class);

    node.after(10).tick().sees(record(OTHER, 8, "v3")).tick();

    assertThat(node.role()).isInstanceOf(Standby.class);
  }

  @Test
  void steppedDownNodeReturnsIfTheOtherReleasedAgain() {
    ElectionDriver node = leading(7).command(new Command.StepDown(Duration.ZERO)).tick();
    node.sees(released(SELF, 7, "v2")).tick();

    node.sees(released(OTHER, 8, "v3"));

    assertThat(node.tick().role()).isInstanceOf(Standby.class);
  }

  @Test
  void steppedDownNodeReturnsAfterTwoLeasesWithoutLeader() {
    ElectionDriver node = leading(7).command(new Command.StepDown(DRAIN)).tick();
    node.sees(released(SELF, 7, "v2"));

    assertThat(node.after(19_999).tick().role()).isInstanceOf(Inactive.class);
    assertThat(node.after(1).tick().role()).isInstanceOf(Standby.class);
  }

  @Test
  void drainedNodeDoesNotCampaignUntilRejoin() {
    ElectionDriver node = standby().command(new Command.Withdraw(WithdrawalReason.DRAINED, DRAIN));
    assertThat(node.role().name()).isEqualTo(RoleName.DRAINED);

    node.after(100_000).tick();
    assertThat(node.after(2_000).tick().asked()).isEqualTo(new LeaseRequest.Look());

    node.command(new Command.Rejoin(WithdrawalReason.DRAINED));
    assertThat(node.role()).isInstanceOf(Standby.class);
  }

  @Test
  void nodeReturnsOnlyWhenAllWithdrawalReasonsEnd() {
    ElectionDriver node = standby().command(new Command.Withdraw(WithdrawalReason.DRAINED, DRAIN));
    node.command(new Command.Withdraw(WithdrawalReason.INELIGIBLE, DRAIN));

    node.command(new Command.Rejoin(WithdrawalReason.DRAINED));
    assertThat(node.role().name()).isEqualTo(RoleName.INELIGIBLE);

    node.command(new Command.Rejoin(WithdrawalReason.INELIGIBLE));
    assertThat(node.role()).isInstanceOf(Standby.class);
  }

  @Test
  void nodeWithUnreliableGateNeverReturns() {
    ElectionDriver node = standby().command(new Command.Withdraw(WithdrawalReason.UNSAFE, DRAIN));
    node.command(new Command.Withdraw(WithdrawalReason.INELIGIBLE, DRAIN));

    node.command(new Command.Rejoin(WithdrawalReason.INELIGIBLE));
    node.command(new Command.Rejoin(WithdrawalReason.UNSAFE));

    assertThat(node.role()).isInstanceOf(Inactive.class);
    assertThat(node.role().name()).isEqualTo(RoleName.INELIGIBLE);
  }

  @Test
  void releaseAfterDrainNamesTheSuccessor() {
    ElectionDriver node =
        leading(7).calls(1).command(new Command.StepDown(DRAIN, "c", "c is asked for"));
    assertThat(node.effects()).containsExactly(new Effect.ShutGate());
    node.after(1_500).tick().after(10).granted(7);

    node.calls(0).after(5).tick();
    assertThat(node.asked()).isEqualTo(new LeaseRequest.Release(SELF, 7, "life-1", "c"));

    node.after(5).sees(released(SELF, 7, "v2"));
    assertThat(node.events())
        .containsExactly(
            new ElectionEvent.StoppedLeading(7, LossReason.STEPPED_DOWN, "c is asked for"));
  }

  @Test
  void onlyALeaderHandsOverToANamedNode() {
    Command named = new Command.StepDown(DRAIN, "c", "c is asked for");

    assertThat(standby().command(named).role()).isInstanceOf(Standby.class);
    ElectionDriver lapsed =
        leading(timing().holdAfterLapse(Duration.ofSeconds(20)), 7).after(9_800).tick();
    assertThat(lapsed.command(named).role()).isInstanceOf(Lapsed.class);
  }

  @Test
  void releaseWithGrantedResponseIsNotRepeated() {
    ElectionDriver node =
        standby().command(new Command.Withdraw(WithdrawalReason.DRAINED, DRAIN)).granted(7);

    assertThat(node.granted(7).asked()).isNull();
  }

  @Test
  void stopShortensARunningDrain() {
    ElectionDriver node = leading(7).calls(1).command(new Command.StepDown(Duration.ofHours(1)));

    node.command(new Command.Stop(Duration.ofSeconds(1))).after(1_000).tick();

    assertThat(node.asked()).isEqualTo(new LeaseRequest.Release(SELF, 7, "life-1"));
  }

  @Test
  void grantToAWithdrawnNodeIsReleased() {
    ElectionDriver node =
        standby().command(new Command.Withdraw(WithdrawalReason.DRAINED, DRAIN)).granted(7);

    assertThat(node.openUntil()).isNull();
    assertThat(node.asked()).isEqualTo(new LeaseRequest.Release(SELF, 7, "life-1"));
    assertThat(node.role().memory().spentEpoch()).isEqualTo(7);
  }

  @Test
  void nodeStoppedDuringAClaimReleasesTheGrant() {
    ElectionDriver node = standby().command(new Command.Stop(DRAIN));
    assertThat(node.role()).isInstanceOf(Inactive.class);

    assertThat(node.granted(7).asked()).isEqualTo(new LeaseRequest.Release(SELF, 7, "life-1"));
    assertThat(node.sees(released(SELF, 7, "v1")).role()).isInstanceOf(Stopped.class);
  }

  @Test
  void lapsedLeaderDoesNotReopenInANewIncarnation() {
    ElectionDriver node =
        leading(timing().holdAfterLapse(Duration.ofSeconds(20)), 7).after(9_800).tick().tick();
    assertThat(node.asked()).isInstanceOf(LeaseRequest.Renew.class);

    node.answer(new Granted(7, "life-2"));

    assertThat(node.openUntil()).isNull();
    assertThat(node.role().memory().spentEpoch()).isEqualTo(7);
  }

  @Test
  void stoppedNodeStaysStopped() {
    ElectionDriver node = leading(7).command(new Command.Stop(DRAIN)).tick();
    node.sees(released(SELF, 7, "v2"));
    assertThat(node.role()).isInstanceOf(Stopped.class);

    assertThat(node.command(new Command.Rejoin(WithdrawalReason.STOPPED)).role())
        .isInstanceOf(Stopped.class);
    assertThat(node.role().name()).isEqualTo(RoleName.OFF);
  }
}
