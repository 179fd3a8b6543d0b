package io.portcullis.election.machine;

import static io.portcullis.election.machine.ElectionDriver.OTHER;
import static io.portcullis.election.machine.ElectionDriver.SELF;
import static io.portcullis.election.machine.ElectionDriver.record;
import static io.portcullis.election.machine.ElectionDriver.released;
import static io.portcullis.election.machine.ElectionDriver.standby;
import static io.portcullis.election.machine.ElectionDriver.timing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.portcullis.election.config.Backoff;
import io.portcullis.election.config.Timing.FirstElection;
import io.portcullis.election.store.Claim;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse.Granted;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StandbyTest {
  private static Claim claim(ElectionDriver node) {
    if (node.asked() instanceof LeaseRequest.Acquire acquire) {
      return acquire.claim();
    }
    throw new AssertionError("no claim was sent, but " + node.asked());
  }

  @Test
  void newNodeClaimsAtOnceWithNothingWaitedOut() {
    Claim claim = claim(standby());

    assertThat(claim.waitedOut()).isNull();
    assertThat(claim.highestEpoch()).isZero();
    assertThat(claim.trustsEmptyStore()).isTrue();
  }

  @Test
  void emptyStoreIsNotTrustedIfConfigured() {
    Claim claim = claim(standby(timing().firstElection(FirstElection.AFTER_LEASE)));

    assertThat(claim.trustsEmptyStore()).isFalse();
  }

  @Test
  void unchangedRecordIsWaitedOutForTheHoldersLease() {
    LeaseRecord holders = record("life-1", OTHER, 7, "v1", Duration.ofSeconds(25), false);
    ElectionDriver node = standby(timing().heldBackoff(Backoff.steady(Duration.ofSeconds(60), 0)));
    node.after(900).sees(holders);

    assertThat(node.after(24_999).tick().asked()).isNull();
    assertThat(claim(node.after(1).tick()).waitedOut()).isEqualTo(holders.recordVersion());
  }

  @Test
  void renewedRecordRestartsTheWait() {
    ElectionDriver node = standby().sees(record(OTHER, 7, "v1"));
    node.after(2_000).tick().sees(record(OTHER, 7, "v2"));

    assertThat(claim(node.after(9_000).tick()).waitedOut()).isNull();
  }

  @Test
  void unchangedRecordKeepsItsEndIfTheStoreCountJumps() {
    ElectionDriver node = standby().sees(record(OTHER, 7, "v1"));
    LeaseRecord jumped =
        new LeaseRecord(
            record(OTHER, 7, "v1").recordVersion(),
            null,
            Duration.ofSeconds(10),
            Duration.ZERO,
            false);

    node.after(2_000).tick().sees(jumped);

    assertThat(claim(node.after(2_000).tick()).waitedOut()).isNull();
  }

  @Test
  void shortenedLeaseIsWaitedOutAtItsOldLength() {
    ElectionDriver node = standby().sees(record(OTHER, 7, "v1"));
    node.after(2_000).tick().sees(record("life-1", OTHER, 7, "v2", Duration.ofSeconds(1), false));

    assertThat(claim(node.after(8_000).tick()).waitedOut()).isNull();
    node.sees(record("life-1", OTHER, 7, "v2", Duration.ofSeconds(1), false));
    assertThat(claim(node.after(2_000).tick()).waitedOut()).isNotNull();
  }

  @Test
  void releasedRecordIsClaimedAtOnce() {
    ElectionDriver node = standby().sees(released(OTHER, 7, "v1")).tick();

    assertThat(claim(node).waitedOut()).isEqualTo(released(OTHER, 7, "v1").recordVersion());
  }

  @Test
  void newIncarnationIsNotTrustedForTheLongestLease() {
    ElectionDriver node =
        standby(timing().longestLease(Duration.ofSeconds(40))).sees(record(OTHER, 7, "v1"));
    Duration lease = Duration.ofSeconds(10);

    node.after(2_000).tick().sees(record("life-2", OTHER, 7, "v1", lease, true));
    assertThat(node.after(2_000).tick().asked()).isEqualTo(new LeaseRequest.Look());

    node.sees(record("life-2", OTHER, 7, "v2", lease, true));
    assertThat(node.after(37_999).tick().asked()).isEqualTo(new LeaseRequest.Look());

    node.sees(record("life-2", OTHER, 7, "v2", lease, true));
    assertThat(claim(node.after(1).tick()).waitedOut()).isNotNull();
  }

  @Test
  void recordWithoutAPossibleLeaderIsNotAnnounced() {
    ElectionDriver node = standby().sees(record(OTHER, 7, "v1"));
    assertThat(node.events())
        .containsExactly(new ElectionEvent.NewLeader(new Leader(OTHER, null, 7)));

    node.after(2_000)
        .tick()
        .sees(record("life-2", "third-1", 5, "v1", Duration.ofSeconds(9), false));

    assertThat(node.events()).isEmpty();
    assertThat(node.role().memory().leader()).isNull();
  }

  @Test
  void grantUnderASeenEpochOpensNoGate() {
    ElectionDriver node = standby().sees(released(OTHER, 7, "v1")).tick().granted(7);

    assertThat(node.openUntil()).isNull();
    assertThat(node.role()).isInstanceOf(Standby.class);
    assertThat(node.role().memory().spentEpoch()).isEqualTo(7);
  }

  @Test
  void lostGrantIsConfirmedByRenewalBeforeOpening() {
    ElectionDriver node = standby().sees(record(OTHER, 6, "v0"));
    node.after(2_000).tick().after(1_000).tick();
    node.after(2_000).tick().sees(record(SELF, 7, "v1"));

    assertThat(node.openUntil()).isNull();
    assertThat(node.tick().asked())
        .asInstanceOf(type(LeaseRequest.Renew.class))
        .extracting(LeaseRequest.Renew::epoch)
        .isEqualTo(7L);
    assertThat(node.granted(7).openUntil()).isEqualTo(5_000 + 9_800);
  }

  @Test
  void newNodeWaitsOutEvenItsOwnRecord() {
    ElectionDriver node = standby().sees(record(SELF, 7, "v1"));

    assertThat(node.role()).isInstanceOf(Standby.class);
    assertThat(claim(node.after(2_000).tick()).waitedOut()).isNull();
  }

  @Test
  void noReleaseIsSentToANewIncarnation() {
    ElectionDriver node =
        ElectionDriver.leading(7).command(new Command.StepDown(Duration.ZERO)).tick();
    node.after(1_000).tick().after(20_000).tick();
    node.after(2_000).tick();

    node.sees(record("life-2", SELF, 7, "v1", Duration.ofSeconds(10), false));

    assertThat(node.asked()).isNull();
  }

  @Test
  void lowerEpochIsWaitedOutForTheLongestLeaseSeen() {
    LeaseRecord longLease = record("life-1", OTHER, 7, "v1", Duration.ofSeconds(40), false);
    ElectionDriver node = standby().sees(longLease);

    node.after(2_000).tick().sees(released(OTHER, 6, "v2"));

    assertThat(node.after(2_000).tick().asked()).isEqualTo(new LeaseRequest.Look());
    node.sees(released(OTHER, 6, "v2"));
    assertThat(node.after(37_999).tick().asked()).isEqualTo(new LeaseRequest.Look());
    node.sees(released(OTHER, 6, "v2"));
    assertThat(claim(node.after(1).tick()).waitedOut()).isNotNull();
  }

  @Test
  void initialRecordAfterAHolderIsNotTrusted() {
    ElectionDriver node = standby().sees(record(OTHER, 7, "v1"));

    node.after(2_000).tick().sees(record("life-1", "", 8, "v2", Duration.ZERO, false));

    assertThat(node.after(2_000).tick().asked()).isEqualTo(new LeaseRequest.Look());
  }

  @Test
  void leaseShortenedTwiceIsWaitedOutAtItsFirstLength() {
    ElectionDriver node = standby(timing().heldBackoff(Backoff.steady(Duration.ofSeconds(60), 0)));
    node.sees(record("life-1", OTHER, 7, "v1", Duration.ofSeconds(30), false)).hint();
    node.after(100).hint().sees(record("life-1", OTHER, 7, "v2", Duration.ofSeconds(10), false));
    node.after(100).hint().sees(record("life-1", OTHER, 7, "v3", Duration.ofSeconds(3), false));

    assertThat(node.after(29_900).tick().asked()).isInstanceOf(LeaseRequest.Acquire.class);
    node.sees(record("life-1", OTHER, 7, "v3", Duration.ofSeconds(3), false));
    assertThat(node.role().memory().waitedOutBy(node.moment())).isNull();
  }

  @Test
  void grantedResponseToLookOrReleaseIsIgnored() {
    ElectionDriver node = standby().sees(record(OTHER, 7, "v1"));
    node.after(2_000).tick().sees(record("life-2", OTHER, 7, "v1", Duration.ofSeconds(10), false));
    node.after(2_000).tick();
    assertThat(node.asked()).isEqualTo(new LeaseRequest.Look());

    node.granted(100);

    assertThat(node.openUntil()).isNull();
    assertThat(node.role().memory().spentEpoch()).isZero();
  }

  @Test
  void manyHintsCauseFewRequests() {
    ElectionDriver node = standby().sees(record(OTHER, 7, "v1"));
    int requests = 0;
    for (int i = 0; i < 1_000; i++) {
      if (node.hint().asked() != null) {
        requests++;
        node.sees(record(OTHER, 7, "v1"));
      }
    }

    assertThat(requests).isLessThan(3);
  }

  @Test
  void stepDownDuringAClaimReleasesTheGrant() {
    ElectionDriver node = standby().command(new Command.StepDown(Duration.ZERO)).granted(7);

    assertThat(node.openUntil()).isNull();
    assertThat(node.asked()).isEqualTo(new LeaseRequest.Release(SELF, 7, "life-1"));
  }

  @Test
  void sameLeaderIsAnnouncedOnce() {
    ElectionDriver node = standby().sees(record(OTHER, 7, "v1"));
    node.after(2_000).tick().sees(record("life-2", OTHER, 7, "v1", Duration.ofSeconds(10), false));
    assertThat(node.role().memory().leader()).isNull();

    node.after(12_000).tick().sees(record("life-2", OTHER, 7, "v2", Duration.ofSeconds(10), false));

    assertThat(node.role().memory().leader()).isNotNull();
    assertThat(node.events()).isEmpty();
  }

  @Test
  void spentEpochInTheRecordIsReleasedNeverReopened() {
    ElectionDriver node =
        ElectionDriver.leading(7).command(new Command.StepDown(Duration.ZERO)).tick();
    assertThat(node.asked()).isEqualTo(new LeaseRequest.Release(SELF, 7, "life-1"));

    node.after(1_000).tick().after(20_000).tick();
    node.after(2_000).tick();
    node.sees(record(SELF, 7, "v1"));

    assertThat(node.openUntil()).isNull();
    assertThat(node.asked()).isEqualTo(new LeaseRequest.Release(SELF, 7, "life-1"));
  }

  @Test
  void spentEpochIsNotReleasedWhileCallsRun() {
    ElectionDriver node = ElectionDriver.leading(7).calls(1).after(3_000).tick();
    node.granted(8); // An invalid response, so the lease counts as lost.
    assertThat(node.role()).isInstanceOf(Standby.class);

    node.after(2_000).tick().sees(record(SELF, 7, "v1"));
    assertThat(node.asked()).isNull();

    node.calls(0).after(2_000).tick().sees(record(SELF, 7, "v1"));
    assertThat(node.asked()).isEqualTo(new LeaseRequest.Release(SELF, 7, "life-1"));
  }

  @Test
  void responseToAnAbandonedRequestIsIgnored() {
    ElectionDriver node = standby();
    long first = node.pendingSequence();
    node.after(1_000).tick();

    node.answer(first, new Granted(7, "life-1"));

    assertThat(node.effects()).isEmpty();
    assertThat(node.role()).isInstanceOf(Standby.class);
  }

  @Test
  void hintDuringARequestTriggersAnotherOne() {
    ElectionDriver node = standby().hint();
    assertThat(node.asked()).isNull();

    node.sees(record(OTHER, 7, "v1"));

    assertThat(node.after(10).tick().asked()).isInstanceOf(LeaseRequest.Acquire.class);
  }

  @Test
  void standbyClaimsAtTheEndOfTheRecordWithoutResponses() {
    Backoff slow = new Backoff(Duration.ofSeconds(4), Duration.ofSeconds(60), 0);
    ElectionDriver node =
        standby(timing().heldBackoff(slow).unknownBackoff(slow)).sees(record(OTHER, 7, "v1"));
    node.after(4_000).tick().unknown();
    node.after(4_000).tick().unknown();

    assertThat(node.after(1_999).tick().asked()).isNull();
    assertThat(claim(node.after(1).tick()).waitedOut())
        .isEqualTo(record(OTHER, 7, "v1").recordVersion());
  }

  @Test
  void firstMissingResponseUsesTheFirstBackoff() {
    Backoff slow = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(60), 0);
    ElectionDriver node = standby(timing().heldBackoff(slow).unknownBackoff(slow));
    for (int i = 0; i < 8; i++) {
      node.sees(record(OTHER, 7, "v" + i)).after(10_000).tick();
    }

    node.unknown();

    assertThat(node.after(999).tick().asked()).isNull();
    assertThat(node.after(1).tick().asked()).isNotNull();
  }
}
