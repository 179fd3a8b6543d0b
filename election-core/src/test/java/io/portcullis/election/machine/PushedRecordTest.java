package io.portcullis.election.machine;

import static io.portcullis.election.machine.ElectionDriver.OTHER;
import static io.portcullis.election.machine.ElectionDriver.SELF;
import static io.portcullis.election.machine.ElectionDriver.leading;
import static io.portcullis.election.machine.ElectionDriver.record;
import static io.portcullis.election.machine.ElectionDriver.released;
import static io.portcullis.election.machine.ElectionDriver.standby;
import static io.portcullis.election.machine.ElectionDriver.timing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.portcullis.election.config.Backoff;
import io.portcullis.election.machine.WithdrawalReasons.WithdrawalReason;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseRequest;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests records that a store pushes. */
class PushedRecordTest {

  /** A standby with requests so rare that they do not matter. */
  private static ElectionDriver patient() {
    return standby(timing().heldBackoff(Backoff.steady(Duration.ofSeconds(60), 0)));
  }

  @Test
  void pushedRecordIsWaitedOutFromItsArrival() {
    ElectionDriver node = patient().sees(record(OTHER, 7, "v1"));
    LeaseRecord renewed = record(OTHER, 7, "v2");

    assertThat(node.after(4_000).shown(renewed).asked()).isNull();

    assertThat(node.after(9_999).tick().asked()).isNull();
    assertThat(node.after(1).tick().asked())
        .asInstanceOf(type(LeaseRequest.Acquire.class))
        .extracting(asked -> asked.claim().waitedOut())
        .isEqualTo(renewed.recordVersion());
  }

  @Test
  void pushedReleaseMakesStandbyClaimAtOnce() {
    ElectionDriver node = patient().sees(record(OTHER, 7, "v1"));

    node.after(1_000).shown(released(OTHER, 7, "v2")).tick();

    assertThat(node.asked()).isInstanceOf(LeaseRequest.Acquire.class);
  }

  @Test
  void pushedReleaseOfAnEarlierIncarnationIsNotTrusted() {
    ElectionDriver node = patient().sees(record(OTHER, 7, "v1"));

    node.after(1_000).shown(released(OTHER, 6, "v0")).tick();

    assertThat(node.asked()).isNull();
  }

  @Test
  void pushDuringARequestTriggersAnotherLook() {
    ElectionDriver node = standby().shown(record(OTHER, 7, "v2")).sees(record(OTHER, 7, "v1"));

    assertThat(node.after(10).tick().asked()).isInstanceOf(LeaseRequest.Acquire.class);
  }

  @Test
  void leaderShownAnotherHolderShutsAtOnce() {
    ElectionDriver node = leading(7).after(1).shown(record(OTHER, 8, "v9"));

    assertThat(node.shut()).isTrue();
    assertThat(node.role()).isInstanceOf(Standby.class);
  }

  @Test
  void leaderWithRenewalInFlightShutsWhenShownAnotherHolder() {
    ElectionDriver node = leading(7).after(5_000).tick();
    assertThat(node.asked()).isInstanceOf(LeaseRequest.Renew.class);

    assertThat(node.shown(record(OTHER, 8, "v9")).shut()).isTrue();
  }

  @Test
  void leaderShownAnEmptyStoreShutsAtOnce() {
    assertThat(leading(7).after(1).shown(LeaseRecord.none("")).shut()).isTrue();
  }

  @Test
  void leaderShownItsOwnRecordSendsNoRequest() {
    ElectionDriver node = leading(7).after(1).shown(record(SELF, 7, "v1"));

    assertThat(node.role()).isInstanceOf(Leading.class);
    assertThat(node.effects()).isEmpty();
  }

  @Test
  void pushedRecordOpensNoGate() {
    ElectionDriver node =
        patient().sees(record(OTHER, 7, "v1")).after(1).shown(record(SELF, 8, "v2"));

    assertThat(node.openUntil()).isNull();
    assertThat(node.role()).isNotInstanceOf(Leading.class);
  }

  @Test
  void withdrawnNodeLearnsTheLeaderFromPushes() {
    ElectionDriver node = patient().sees(record(OTHER, 7, "v1"));
    node.command(new Command.Withdraw(WithdrawalReason.DRAINED, Duration.ZERO)).tick();
    node.sees(record(OTHER, 7, "v1"));

    node.after(1_000).shown(record("third", 8, "v2"));

    assertThat(node.asked()).isNull();
    assertThat(node.role().memory().leader()).isEqualTo(new Leader("third", null, 8));
  }

  @Test
  void emptyStoreWithoutIncarnationIsNotANewStore() {
    ElectionDriver node = standby();
    node.command(new Command.Withdraw(WithdrawalReason.NOT_READY, Duration.ZERO));
    node.sees(LeaseRecord.none(""));

    LeaseRecord ground = record("life-1", "", 9, "v1", Duration.ZERO, false);
    node.shown(ground);

    assertThat(node.role().memory().trustsWhatItSaw()).isTrue();
  }
}
