package io.portcullis.election.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ClaimTest {
  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final long NOW = 1_800_000_000L;

  private static Claim claim(long seen, @Nullable RecordVersion waitedOut, @Nullable String life) {
    return new Claim("me", null, LEASE, LEASE, seen, waitedOut, life, false);
  }

  private static LeaseRecord record(long epoch, boolean released) {
    return new LeaseRecord(
        new RecordVersion("incarnation", "other", epoch, "v1"), null, LEASE, LEASE, released);
  }

  @Test
  void heldRecordIsGrantedOnlyAfterWaitingOutItsVersion() {
    LeaseRecord held = record(7, false);
    RecordVersion renewed = new RecordVersion("incarnation", "other", 7, "v0");

    assertThat(claim(7, held.recordVersion(), "incarnation").mayTake(held)).isTrue();
    assertThat(claim(7, renewed, "incarnation").mayTake(held)).isFalse();
    assertThat(claim(7, null, "incarnation").mayTake(held)).isFalse();
  }

  @Test
  void releaseIsTrustedOnlyFromAStoreWithoutDataLoss() {
    LeaseRecord released = record(7, true);

    assertThat(claim(0, null, null).mayTake(released)).isTrue();
    assertThat(claim(7, null, "incarnation").mayTake(released)).isTrue();
    assertThat(claim(8, null, "incarnation").mayTake(released)).isFalse();
    assertThat(claim(7, null, "earlier life").mayTake(released)).isFalse();
  }

  @Test
  void emptyStoreGetsAnInitialRecord() {
    LeaseRecord none = LeaseRecord.none("incarnation");
    Claim trusting = new Claim("me", null, LEASE, LEASE, 0, none.recordVersion(), null, true);

    assertThat(trusting.mayTake(none)).isFalse();
    assertThat(trusting.initialRecord("incarnation", "v1", NOW).remaining()).isZero();
    assertThat(claim(0, null, null).initialRecord("incarnation", "v1", NOW).remaining())
        .isEqualTo(LEASE);
  }

  @Test
  void epochsRiseByOneWhileTheStoreRemembers() {
    assertThat(claim(7, null, "incarnation").nextEpoch(record(7, true), true, NOW)).isEqualTo(8);
  }

  @Test
  void firstEpochOfAnEmptyStoreIsTheUnixSecond() {
    LeaseRecord ground = claim(0, null, null).initialRecord("incarnation", "v1", NOW);

    assertThat(ground.epoch()).isEqualTo(NOW);
    assertThat(claim(NOW, ground.recordVersion(), "incarnation").nextEpoch(ground, true, NOW))
        .isEqualTo(NOW + 1);
  }

  @Test
  void invalidRecordsAreRefusedWhenRead() {
    assertThatThrownBy(
            () ->
                new LeaseRecord(
                    new RecordVersion("incarnation", "other", 7, "v1"),
                    null,
                    LEASE,
                    Duration.ofMillis(-2),
                    false))
        .hasMessageContaining("remaining in the record");
    assertThatThrownBy(
            () ->
                new LeaseRecord(
                    new RecordVersion("incarnation", "other", 7, "v1"),
                    null,
                    Duration.ofSeconds(Long.MAX_VALUE),
                    LEASE,
                    false))
        .hasMessageContaining("lease in the record");
    assertThatThrownBy(() -> new RecordVersion("incarnation", "other", Long.MAX_VALUE, "v1"))
        .hasMessageContaining("epoch '9223372036854775807'");
  }

  @Test
  void nextEpochExceedsHighestSeenAndUnixSecond() {
    assertThat(claim(9, null, "incarnation").nextEpoch(record(7, true), true, NOW))
        .isEqualTo(NOW + 1);
    assertThat(claim(NOW + 5, null, "incarnation").nextEpoch(record(7, true), true, NOW))
        .isEqualTo(NOW + 6);
    assertThat(claim(7, null, "incarnation").nextEpoch(record(7, true), false, NOW))
        .isEqualTo(NOW + 1);
  }

  @Test
  void initialRecordIsWaitedOutForTheLongestLease() {
    Claim claim =
        new Claim("me", null, LEASE, Duration.ofMinutes(1), 7, null, "incarnation", false);

    LeaseRecord ground = claim.initialRecord("incarnation", "v1", NOW);

    assertThat(ground.isNone()).isFalse();
    assertThat(ground.isHeld()).isFalse();
    assertThat(ground.released()).isFalse();
    assertThat(ground.remaining()).isEqualTo(Duration.ofMinutes(1));
    assertThat(claim.mayTake(ground)).isFalse();
    assertThat(claim(7, ground.recordVersion(), "incarnation").nextEpoch(ground, true, NOW))
        .isGreaterThan(NOW);
  }
}
