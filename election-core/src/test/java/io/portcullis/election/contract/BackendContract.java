package io.portcullis.election.contract;

import static io.portcullis.election.contract.Claimant.answerTo;
import static io.portcullis.election.contract.Claimant.granted;
import static io.portcullis.election.contract.Claimant.shown;
import static io.portcullis.election.contract.Claimant.waitOut;
import static io.portcullis.election.contract.TestTimeouts.MAX_WAIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.portcullis.election.store.Claim;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.Granted;
import io.portcullis.election.store.LeaseResponse.HeldByOther;
import io.portcullis.election.store.RecordVersion;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Checks the promises of a {@link io.portcullis.election.store.LeaseStore} on a real store. */
public abstract class BackendContract extends EpochContract {

  @Test
  void emptyStoreGrantsNothingAndGetsAnInitialRecord() {
    Claimant a = claimant("a");
    assertThat(a.look().isNone()).isTrue();

    LeaseRecord ground = shown(a.acquire(a.claim()));

    assertThat(ground.isNone()).isFalse();
    assertThat(ground.holder()).isEmpty();
    assertThat(ground.released()).isFalse();
    assertThat(ground.lease()).isEqualTo(Duration.ZERO);
    assertThat(ground.remaining()).isEqualTo(Duration.ZERO);
    assertThat(ground.epoch()).isBetween(unixSecond() - 60, unixSecond() + 60);
    assertThat(claimant("b").look().recordVersion()).isEqualTo(ground.recordVersion());
  }

  @Test
  void untrustedEmptyStoreIsWaitedOutForTheLongestLease() {
    Claimant a = claimant("a");
    Duration longest = steadyLease().multipliedBy(2);
    Claim wary = new Claim(a.node(), null, steadyLease(), longest, 7, null, null, false);

    LeaseRecord ground = shown(a.acquire(wary));

    assertThat(ground.holder()).isEmpty();
    assertThat(ground.lease()).isEqualTo(longest);
    assertThat(ground.remaining()).isPositive().isLessThanOrEqualTo(longest.plusSeconds(2));
  }

  @Test
  void initialRecordIsGrantedAfterTheWait() {
    Claimant a = claimant("a");
    LeaseRecord ground = shown(a.acquire(a.claim()));

    Granted won = granted(a.acquire(a.claim(ground.recordVersion())));

    assertThat(won.epoch()).isGreaterThan(ground.epoch());
    assertThat(won.incarnation()).isEqualTo(ground.recordVersion().incarnation());
    assertThat(a.look().isHeldBy("a", won.epoch())).isTrue();
  }

  @Test
  void heldLeaseIsShownCompletelyToOthers() {
    Claimant a = claimant("a");
    Claimant b = claimant("b");
    Granted won = a.lead();

    LeaseRecord shown = shown(b.acquire(b.claim()));

    assertThat(shown.isHeldBy("a", won.epoch())).isTrue();
    assertThat(shown.address()).isEqualTo("http://a:8080");
    assertThat(shown.lease()).isEqualTo(steadyLease());
    assertThat(shown.remaining()).isPositive().isLessThanOrEqualTo(steadyLease().plusMillis(50));
    assertThat(shown.recordVersion().incarnation()).isEqualTo(won.incarnation());
    assertThat(b.look().recordVersion()).isEqualTo(shown.recordVersion());
  }

  @Test
  void exactlyOneOfManyConcurrentClaimsIsGranted() {
    List<Claimant> nodes = IntStream.range(0, 12).mapToObj(i -> claimant("node-" + i)).toList();
    RecordVersion ground = shown(nodes.get(0).acquire(nodes.get(0).claim())).recordVersion();
    nodes.forEach(Claimant::look);

    List<CompletionStage<LeaseResponse>> asked =
        nodes.stream()
            .map(node -> node.send(new LeaseRequest.Acquire(node.claim(ground))))
            .toList();

    List<LeaseResponse> answers = asked.stream().map(Claimant::answerTo).toList();
    assertThat(answers).filteredOn(answer -> answer instanceof Granted).hasSize(1);
    assertThat(answers).filteredOn(answer -> answer instanceof HeldByOther).hasSize(11);
  }

  @Test
  void onlyTheHolderRenewsUnderItsEpoch() {
    Claimant a = claimant("a");
    Claimant b = claimant("b");
    Granted won = a.lead();

    LeaseResponse byAnother = b.renew(won.epoch());
    LeaseResponse underAnother = a.renew(won.epoch() + 1);
    LeaseResponse right = a.renew(won.epoch());

    assertThat(shown(byAnother).isHeldBy("a", won.epoch())).isTrue();
    assertThat(shown(underAnother).isHeldBy("a", won.epoch())).isTrue();
    assertThat(granted(right)).isEqualTo(won);
  }

  @Test
  void renewalRestoresTheFullLease() {
    Claimant a = claimant("a");
    Granted won = a.lead();
    long halfway = System.nanoTime() + lease().toNanos() / 2;
    await().atMost(MAX_WAIT).until(() -> halfway - System.nanoTime() < 0);
    Claimant b = claimant("b");
    long renewed = System.nanoTime();
    granted(a.renew(won.epoch()));

    LeaseRecord after = b.look();
    Duration atMostGone = Duration.ofNanos(System.nanoTime() - renewed);

    assertThat(after.isHeldBy("a", won.epoch())).isTrue();
    // Without the renewal, half of the short lease would have passed.
    assertThat(after.remaining())
        .isGreaterThan(steadyLease().minus(atMostGone).minus(lease().dividedBy(4)));
  }

  @Test
  void renewalChangesTheVersionAndLookDoesNot() {
    Claimant a = claimant("a");
    Granted won = a.lead();
    RecordVersion first = a.look().recordVersion();

    assertThat(a.look().recordVersion()).isEqualTo(first);
    a.renew(won.epoch());
    RecordVersion second = a.look().recordVersion();

    assertThat(second).isNotEqualTo(first);
    assertThat(second.epoch()).isEqualTo(first.epoch());
    assertThat(second.version()).isNotEqualTo(first.version());
  }

  @Test
  void renewalNeverRecreatesALostRecord() {
    assumeTrue(canBeWiped());
    Claimant a = claimant("a");
    Granted won = a.lead();
    fixture().wipe();

    LeaseResponse answer = a.renew(won.epoch());

    assertThat(shown(answer).isNone()).isTrue();
    assertThat(a.look().isNone()).isTrue();
  }

  @Test
  void onlyTheHolderReleasesInItsEpochAndIncarnation() {
    Claimant a = claimant("a");
    Granted won = a.lead();
    RecordVersion before = a.look().recordVersion();

    List<LeaseRecord> wrong =
        List.of(
            claimant("b").release(won.epoch(), won.incarnation()),
            a.release(won.epoch() + 1, won.incarnation()),
            a.release(won.epoch(), "another incarnation"),
            a.release(won.epoch(), null));
    LeaseRecord right = a.release(won);

    assertThat(wrong)
        .allSatisfy(
            shown -> {
              assertThat(shown.recordVersion()).isEqualTo(before);
              assertThat(shown.released()).isFalse();
            });
    assertThat(right.released()).isTrue();
    assertThat(right.isHeld()).isFalse();
  }

  @Test
  void releasedLeaseIsGrantedAtOnceUnderTheNextEpoch() {
    Claimant a = claimant("a");
    Claimant b = claimant("b");
    Granted first = a.lead();
    LeaseRecord released = a.release(first);

    Granted second = granted(b.acquire(b.claim(null, first.epoch(), first.incarnation())));

    assertThat(released.epoch()).isEqualTo(first.epoch());
    assertThat(second.epoch()).isEqualTo(first.epoch() + 1);
    assertThat(shown(a.renew(first.epoch())).isHeldBy("b", second.epoch())).isTrue();
  }

  @Test
  void releasedLeaseIsNotRenewed() {
    Claimant a = claimant("a");
    Granted won = a.lead();
    a.release(won);

    LeaseResponse answer = a.renew(won.epoch());

    assertThat(shown(answer).released()).isTrue();
  }

  @Test
  void releaseInAStoreThatLostAnEpochIsNotTrusted() {
    Claimant a = claimant("a");
    Claimant b = claimant("b");
    Granted won = a.lead();
    a.release(won);

    LeaseResponse sawMore = b.acquire(b.claim(null, won.epoch() + 1, won.incarnation()));
    LeaseResponse knewAnother = b.acquire(b.claim(null, won.epoch(), "another incarnation"));

    assertThat(shown(sawMore).epoch()).isEqualTo(won.epoch());
    assertThat(shown(knewAnother).epoch()).isEqualTo(won.epoch());
    assertThat(b.look().holder()).isEqualTo("a");
  }

  @Test
  void claimWithAHigherEpochIsGrantedAboveIt() {
    Claimant a = claimant("a");
    Granted won = a.lead();
    RecordVersion released = a.release(won).recordVersion();
    long seen = won.epoch() + 1000;

    Granted next = granted(a.acquire(a.claim(released, seen, won.incarnation())));

    assertThat(next.epoch()).isGreaterThan(seen);
  }

  @Test
  void epochsRiseWhenTheSameNodeWinsAgain() {
    Claimant a = claimant("a");
    Granted first = a.lead();
    a.release(first);
    Granted second = a.lead();
    a.release(second);

    Granted third = a.lead();

    assertThat(second.epoch()).isGreaterThan(first.epoch());
    assertThat(third.epoch()).isGreaterThan(second.epoch());
  }

  @Test
  void expiredLeaseIsGrantedOnlyAfterWaitingOutItsVersion() {
    Claimant a = claimant("a");
    Claimant b = claimant("b");
    Granted won = a.lead();
    RecordVersion outdated = a.look().recordVersion();
    granted(a.renew(won.epoch(), lease()));
    LeaseRecord last = b.look();
    waitOut(last);

    LeaseResponse blind = b.acquire(b.claim());
    LeaseResponse tooOld = b.acquire(b.claim(outdated));
    Granted right = b.acquireInTheEnd(b.claim(last.recordVersion()));

    assertThat(shown(blind).holder()).isEqualTo("a");
    assertThat(shown(tooOld).holder()).isEqualTo("a");
    assertThat(right.epoch()).isGreaterThan(won.epoch());
    assertThat(lookAgain(a).holder()).isEqualTo("b");
    assertThat(shown(a.renew(won.epoch())).holder()).isEqualTo("b");
    assertThat(a.release(won).isHeldBy("b", right.epoch())).isTrue();
  }

  /** A node whose connection to the store was closed opens another one. */
  private static LeaseRecord lookAgain(Claimant who) {
    await().atMost(MAX_WAIT).until(() -> who.renew(0) instanceof HeldByOther);
    return who.look();
  }

  @Test
  void wipedStoreGrantsAboveAllEarlierEpochs() {
    assumeTrue(canBeWiped());
    Claimant a = claimant("a");
    Granted before = a.lead();
    await().atMost(MAX_WAIT).until(() -> unixSecond() >= before.epoch());
    fixture().wipe();

    LeaseRecord ground = shown(a.acquire(claimant("fresh").claim()));
    Granted after = granted(a.acquire(a.claim(ground.recordVersion())));

    assertThat(after.epoch()).isGreaterThan(before.epoch());
    assertThat(ground.recordVersion().version()).isNotEmpty();
  }

  @Test
  void storeWipedTwiceNeverRepeatsARecordVersion() {
    assumeTrue(canBeWiped());
    Claimant a = claimant("a");
    RecordVersion first = shown(a.acquire(a.claim())).recordVersion();
    fixture().wipe();
    RecordVersion second = shown(a.acquire(a.claim())).recordVersion();

    LeaseResponse answer = a.acquire(a.claim(first));

    assertThat(second).isNotEqualTo(first);
    assertThat(shown(answer).recordVersion()).isEqualTo(second);
  }

  @Test
  void closeDoesNotReleaseTheLease() {
    Claimant a = claimant("a");
    Granted won = a.lead();
    RecordVersion before = a.look().recordVersion();

    a.close();

    LeaseRecord shown = claimant("b").look();
    assertThat(shown.recordVersion()).isEqualTo(before);
    assertThat(shown.isHeldBy("a", won.epoch())).isTrue();
  }

  @Test
  void electionsInOneStoreAreIndependent() {
    Claimant a = claimant("a");
    Claimant elsewhere = keep(new Claimant(newFixture(), "b", timing()));
    Granted won = a.lead();

    Granted other = elsewhere.lead();
    elsewhere.release(other);

    assertThat(elsewhere.look().holder()).isEqualTo("b");
    assertThat(a.look().isHeldBy("a", won.epoch())).isTrue();
  }

  @Test
  void everyConcurrentRequestGetsAResponse() {
    Claimant a = claimant("a");
    Granted won = a.lead();

    List<CompletionStage<LeaseResponse>> asked =
        List.of(
            a.send(new LeaseRequest.Look()),
            a.send(new LeaseRequest.Renew("a", won.epoch(), steadyLease(), null)),
            a.send(new LeaseRequest.Release("a", won.epoch(), won.incarnation())));

    assertThat(shown(answerTo(asked.get(0))).holder()).isEqualTo("a");
    assertThat(granted(answerTo(asked.get(1)))).isEqualTo(won);
    assertThat(shown(answerTo(asked.get(2))).released()).isTrue();
  }

  private static long unixSecond() {
    return System.currentTimeMillis() / 1000;
  }
}
