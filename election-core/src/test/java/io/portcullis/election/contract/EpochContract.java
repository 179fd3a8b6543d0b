package io.portcullis.election.contract;

import static io.portcullis.election.contract.Claimant.granted;
import static io.portcullis.election.contract.Claimant.waitOut;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.portcullis.election.config.Timing;
import io.portcullis.election.store.EpochRange;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.Granted;
import io.portcullis.election.store.LeaseResponse.Unknown;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests how a store handles epochs that were written into it from outside. */
public abstract class EpochContract extends HintContract {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final int REPAIR_LEASE_DIVISOR = 6;
  private static final long MAX = EpochRange.MAX_EPOCH;

  private static final List<String> IMPLAUSIBLE =
      List.of(
          Long.toString(Long.MIN_VALUE),
          "-1",
          "0",
          Long.toString(MAX - 1_000_000_000),
          Long.toString(MAX - 1),
          Long.toString(MAX),
          Long.toString(MAX + 1),
          "999999999999999",
          "1000000000000000",
          Long.toString((1L << 53) - 1),
          Long.toString(1L << 53),
          Long.toString((1L << 53) + 1),
          Long.toString(Long.MAX_VALUE - 1),
          Long.toString(Long.MAX_VALUE),
          "9223372036854775808",
          "9".repeat(400),
          "1.5",
          "1e9",
          " 7",
          "7 ",
          "+7",
          "0x10",
          "NaN",
          "a number");

  /**
   * The places where this fixture's store keeps the epoch, the record of the lease first; empty if
   * no client can write there except through the store.
   */
  protected List<StoredEpoch> storedEpochs(StoreFixture fixture) {
    return List.of();
  }

  private List<StoredEpoch> storedEpochsOrSkip(StoreFixture fixture) {
    List<StoredEpoch> all = storedEpochs(fixture);
    assumeFalse(all.isEmpty(), "no client can write epochs without this store");
    return all;
  }

  /**
   * A lease that a node keeps between two requests of a test, and whose end the test can wait for:
   * an edited record is waited out.
   */
  private Timing repairTiming() {
    return timing(steadyLease().dividedBy(REPAIR_LEASE_DIVISOR));
  }

  @Test
  void implausibleEpochIsNeitherUsedNorWritten() {
    for (int i = 0; i < storedEpochsOrSkip(fixture()).size(); i++) {
      StoreFixture fresh = newFixture();
      StoredEpoch stored = storedEpochs(fresh).get(i);
      Claimant a = keep(new Claimant(fresh, "a", repairTiming()));
      Claimant b = keep(new Claimant(fresh, "b", repairTiming()));
      Granted before = a.lead();
      a.release(before);

      int tried = 0;
      for (String value : IMPLAUSIBLE) {
        tried += stored.set(value) ? refuses(stored, value, before, a, b) : 0;
      }

      assertThat(tried).as(stored.name()).isGreaterThan(i == 0 ? 5 : -1);
      stored.repair();
      Granted after = leadAbove(a, before);
      assertThat(after.epoch()).as(stored.name()).isGreaterThan(before.epoch()).isLessThan(MAX);
      assertThat(granted(a.renew(after.epoch()))).isEqualTo(after);
    }
  }

  private static int refuses(
      StoredEpoch stored, String value, Granted before, Claimant a, Claimant b) {
    String kept = stored.get();
    String what = stored.name() + " '" + value + "'";
    LeaseResponse byOneThatHasSeen = a.acquire(a.claim(null, before.epoch(), before.incarnation()));
    LeaseResponse byOneThatHasNot = b.acquire(b.claim());
    LeaseResponse look = b.ask(new LeaseRequest.Look());

    for (LeaseResponse answer : List.of(byOneThatHasSeen, byOneThatHasNot, look)) {
      assertThat(answer).as(what).isInstanceOf(Unknown.class);
      assertThat(((Unknown) answer).why()).as(what).contains("can't be right").contains("Run: ");
      assertThat(((Unknown) answer).why()).as(what).contains(stored.named());
    }
    assertThat(a.renew(before.epoch())).as(what).isNotInstanceOf(Granted.class);
    assertThat(stored.get()).as(what).isEqualTo(kept);
    return 1;
  }

  /** Claims like a node that has not been restarted: it remembers what it had before. */
  private static Granted leadAbove(Claimant node, Granted before) {
    LeaseRecord seen =
        await().atMost(LONG).until(() -> node.ask(new LeaseRequest.Look()), EpochContract::isShown)
                instanceof LeaseResponse.HeldByOther held
            ? held.record()
            : LeaseRecord.none("");
    waitOut(seen);
    long highest = Math.max(before.epoch(), seen.epoch());
    return node.acquireInTheEnd(
        node.claim(seen.recordVersion(), highest, seen.recordVersion().incarnation()));
  }

  private static boolean isShown(LeaseResponse answer) {
    return answer instanceof LeaseResponse.HeldByOther;
  }

  @Test
  void electionGoesOnAfterEpochRepairWithoutRestart() throws Exception {
    for (long wrong : List.of(Long.MAX_VALUE, MAX - 1)) {
      for (StoredEpoch stored : storedEpochsOrSkip(fixture())) {
        goesOnAfterRepair(stored, wrong);
      }
    }
  }

  private void goesOnAfterRepair(StoredEpoch stored, long wrong) throws Exception {
    try (ContenderPair pair =
        ContenderPair.at(fixture(), repairTiming(), fixture(), repairTiming())) {
      long epoch = pair.epoch();
      if (!stored.set(Long.toString(wrong))) {
        return;
      }

      pair.awaitNobody();
      await()
          .atMost(LONG)
          .untilAsserted(
              () -> {
                assertThat(pair.first().status().toString()).contains(stored.named());
                assertThat(pair.second().status().toString()).contains(stored.named());
              });
      assertThat(stored.get()).contains(Long.toString(wrong));
      stored.repair();

      pair.awaitLeaderAbove(epoch);
      assertThat(pair.epoch()).as(stored.name()).isLessThan(MAX / 2);
    }
  }

  @Test
  void epochAfterLowOneIsAboveAllSeenEpochs() {
    StoredEpoch stored = storedEpochsOrSkip(fixture()).get(0);
    Claimant a = keep(new Claimant(fixture(), "a", repairTiming()));
    Granted before = a.lead();
    a.release(before);
    stored.set("1");

    assertThat(leadAbove(a, before).epoch()).isGreaterThan(before.epoch());
  }

  @Test
  void highestAcceptedEpochLeavesRoomForGrants() {
    StoredEpoch stored = storedEpochsOrSkip(fixture()).get(0);
    Claimant a = keep(new Claimant(fixture(), "a", repairTiming()));
    Granted before = a.lead();
    a.release(before);
    long high = EpochRange.highestAt(before.epoch()) - 100; // Its clock may be slightly behind.
    stored.set(Long.toString(high));

    Granted next = leadAbove(a, before);
    assertThat(next.epoch()).isEqualTo(high + 1);
    assertThat(granted(a.renew(next.epoch()))).isEqualTo(next);
    LeaseRecord released = a.release(next);
    Claimant b = claimant("b");
    assertThat(granted(b.acquire(b.claim(released.recordVersion()))).epoch()).isEqualTo(high + 2);
  }
}
