package io.portcullis.election.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.store.LeaseResponse.Granted;
import io.portcullis.election.store.LeaseResponse.HeldByOther;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StoreClockCheckTest {
  private static final long LEASE = 10_000;
  private static final long MILLI = 1_000_000;

  /** Just before the wrap-around, so that comparing values instead of differences fails. */
  private static final long ORIGIN = Long.MAX_VALUE - 5_000 * MILLI;

  private final StoreClockCheck check = new StoreClockCheck(0.01);

  /** A read request that takes 2 ms, with the store's clock at {@code storeMillis}. */
  private long remaining(String version, long left, long atMillis, long storeMillis) {
    return remaining("incarnation", version, left, atMillis, storeMillis);
  }

  private long remaining(String life, String version, long left, long atMillis, long storeMillis) {
    LeaseRecord seen =
        new LeaseRecord(
            new RecordVersion(life, "a", 7, version),
            null,
            Duration.ofMillis(LEASE),
            Duration.ofMillis(left),
            false);
    return remainingOf(new HeldByOther(seen), atMillis, storeMillis);
  }

  private long remainingOf(LeaseResponse answer, long atMillis, long storeMillis) {
    long sent = ORIGIN + atMillis * MILLI;
    LeaseResponse checked = check.checked(answer, storeMillis, sent, sent + 2 * MILLI);
    return checked instanceof HeldByOther held ? held.record().remaining().toMillis() : -1;
  }

  @Test
  void recordChangedAcrossClockStepIsWaitedOut() {
    remaining("v1", 9_000, 0, 100_000);

    assertThat(remaining("v2", 0, 5_000, 165_000)).isEqualTo(LEASE);
  }

  @Test
  void smallClockStepIsAddedToRemainingTime() {
    remaining("v1", 9_000, 0, 100_000);

    // The store reports 4 s ago. By this node's clock at most 5 s passed, of which 3 s are a step.
    assertThat(remaining("v2", 6_000, 5_000, 108_000)).isBetween(9_000L, 9_200L);
  }

  @Test
  void withoutClockStepOnlyLatencyAndDriftAreAdded() {
    remaining("v1", 9_000, 0, 100_000);

    assertThat(remaining("v2", 7_000, 5_000, 105_000)).isBetween(7_000L, 7_110L);
  }

  @Test
  void unchangedRecordKeepsItsEndAcrossClockStep() {
    remaining("v1", 9_000, 0, 100_000);

    assertThat(remaining("v1", 0, 5_000, 165_000)).isEqualTo(4_000);
    assertThat(remaining("v1", 0, 8_000, 168_000)).isEqualTo(1_000);
  }

  @Test
  void clockCorrectionLastsForLaterAnswers() {
    remaining("v1", 9_000, 0, 100_000);
    remaining("v2", 0, 5_000, 165_000);

    assertThat(remaining("v2", 0, 6_000, 166_000)).isEqualTo(LEASE - 1_000);
  }

  @Test
  void firstAnswerIsNotCorrected() {
    assertThat(remaining("v1", 3_000, 0, 100_000)).isEqualTo(3_000);
  }

  @Test
  void clockStepIsDetectedSinceAnswerWithoutRecord() {
    remainingOf(new Granted(6, "incarnation"), 0, 100_000);
    assertThat(remaining("v1", 0, 1_000, 161_000)).isEqualTo(LEASE);

    remainingOf(new HeldByOther(LeaseRecord.none("incarnation")), 2_000, 162_000);
    assertThat(remaining("v2", 0, 3_000, 223_000)).isEqualTo(LEASE);
  }

  @Test
  void clockSetBackOrNewIncarnationCountsWholeLease() {
    remaining("v1", 9_000, 0, 100_000);
    assertThat(remaining("v2", 2_000, 5_000, 99_000)).isEqualTo(LEASE);
    assertThat(remaining("other", "v3", 2_000, 6_000, 100_000)).isEqualTo(LEASE);
  }

  @Test
  void remainingTimeAboveTheLeaseIsKept() {
    remaining("v1", 9_000, 0, 100_000);

    assertThat(remaining("v2", 70_000, 5_000, 40_000)).isEqualTo(70_000);
  }

  @Test
  void releasedRecordIsNotCorrected() {
    remaining("v1", 9_000, 0, 100_000);
    LeaseRecord released =
        new LeaseRecord(
            new RecordVersion("incarnation", "a", 7, "v2"),
            null,
            Duration.ofMillis(LEASE),
            Duration.ZERO,
            true);

    assertThat(remainingOf(new HeldByOther(released), 5_000, 165_000)).isZero();
    assertThat(check.checked(new LeaseResponse.Unknown("lost"), 0, 0, 0))
        .isEqualTo(new LeaseResponse.Unknown("lost"));
  }
}
