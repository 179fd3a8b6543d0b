package io.portcullis.election.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.election.fence.EpochFence.FenceState;
import io.portcullis.election.store.LeaseResponse.Granted;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EpochRangeTest {
  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final long MAX = EpochRange.MAX_EPOCH;

  private static Claim claim(long highest) {
    return new Claim("a", null, LEASE, LEASE, highest, null, null, false);
  }

  private static LeaseRecord record(long epoch) {
    return new LeaseRecord(
        new RecordVersion("incarnation", "b", epoch, "1"), null, LEASE, LEASE, true);
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, MAX + 1, 1L << 53, Long.MAX_VALUE - 1, Long.MAX_VALUE})
  void implausibleEpochIsRefusedByEveryValueThatCarriesOne(long epoch) {
    assertThat(EpochRange.contains(epoch)).isFalse();
    assertThatThrownBy(() -> new RecordVersion("incarnation", "b", epoch, "1"))
        .isInstanceOf(EpochRangeException.class)
        .hasMessageContaining("'" + epoch + "'");
    assertThatThrownBy(() -> new Granted(epoch, "incarnation"))
        .isInstanceOf(EpochRangeException.class);
    assertThatThrownBy(() -> claim(epoch)).isInstanceOf(EpochRangeException.class);
    assertThatThrownBy(() -> new FenceState(epoch, "b")).isInstanceOf(EpochRangeException.class);
  }

  @Test
  void epochZeroIsNeverGranted() {
    assertThat(new RecordVersion("incarnation", "", 0, "").epoch()).isZero();
    assertThat(claim(0).highestEpoch()).isZero();
    assertThatThrownBy(() -> new Granted(0, "incarnation")).isInstanceOf(EpochRangeException.class);
  }

  @Test
  void unixSecondsAreEpochsAndMillisecondsAreNot() {
    assertThat(EpochRange.contains(System.currentTimeMillis())).isFalse();
    assertThat(EpochRange.contains(Duration.ofDays(365L * 30_000).toSeconds())).isTrue();
    assertThat(MAX).isLessThan(1L << 53);
  }

  @Test
  void lastEpochIsGrantedAndNoneFollowsIt() {
    assertThat(claim(0).nextEpoch(record(MAX - 1), true, 5)).isEqualTo(MAX);
    assertThat(new Granted(MAX, "incarnation").epoch()).isEqualTo(MAX);

    assertThatThrownBy(() -> claim(0).nextEpoch(record(MAX), true, 5))
        .isInstanceOfSatisfying(
            EpochRangeException.class, e -> assertThat(e.isExhausted()).isTrue());
    assertThatThrownBy(() -> claim(MAX).nextEpoch(record(7), true, 5))
        .isInstanceOf(EpochRangeException.class);
  }

  @Test
  void epochTooCloseToTheMaximumIsRefusedWhenRead() {
    long second = 1_794_975_908;
    long highest = second + EpochRange.MAX_LEAD;

    assertThat(EpochRange.parse(Long.toString(highest), second)).isEqualTo(highest);
    for (long tooHigh : new long[] {highest + 1, MAX - 1, MAX}) {
      assertThatThrownBy(() -> EpochRange.parse(Long.toString(tooHigh), second))
          .isInstanceOfSatisfying(
              EpochRangeException.class, e -> assertThat(e.isExhausted()).isFalse())
          .hasMessageContaining("above the current Unix second");
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, 0, 1, 1_794_975_908, MAX, Long.MAX_VALUE})
  void validEpochIsAcceptedWhateverTheClockSays(long unixSecond) {
    assertThat(EpochRange.parse("1794975908", unixSecond)).isEqualTo(1_794_975_908);
    assertThat(EpochRange.highestAt(unixSecond)).isBetween(EpochRange.MAX_LEAD, MAX);
  }

  @Test
  void absurdClockYieldsNoEpochOutOfRange() {
    assertThatThrownBy(() -> claim(0).nextEpoch(record(7), false, Long.MAX_VALUE))
        .isInstanceOf(EpochRangeException.class);
    assertThatThrownBy(() -> claim(0).initialRecord("incarnation", "1", MAX))
        .isInstanceOf(EpochRangeException.class);
    assertThat(claim(0).initialRecord("incarnation", "1", -5).epoch())
        .isEqualTo(EpochRange.MIN_EPOCH);
    assertThat(claim(0).nextEpoch(record(7), false, -5)).isEqualTo(8);
  }

  @Test
  void plainDigitsAreReadAsEpoch() {
    assertThat(EpochRange.parse("1794975908")).isEqualTo(1794975908);
    assertThat(EpochRange.parse("0")).isZero();
    assertThat(EpochRange.parse(Long.toString(MAX))).isEqualTo(MAX);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "-1",
        "+1",
        " 7",
        "7 ",
        "1.0",
        "1e9",
        "0x10",
        "\u0667",
        "abc",
        "1000000000000",
        "99999999999999999999",
        "9223372036854775807",
        "7\n"
      })
  void otherTextThanDigitsIsNoEpoch(String text) {
    assertThatThrownBy(() -> EpochRange.parse(text))
        .isInstanceOf(EpochRangeException.class)
        .message()
        .doesNotContain("\n");
  }

  @Test
  void epochErrorNamesPlaceAndRepair() {
    EpochRangeException wrong = EpochRangeException.implausible("9".repeat(500));

    assertThat(wrong.sentence("row x", "UPDATE x"))
        .startsWith("row x can't be right: epoch '999")
        .contains("Run: UPDATE x", "without a restart")
        .hasSizeLessThan(250);
    assertThat(EpochRangeException.exhausted("999999999999").sentence("row x", "UPDATE x"))
        .contains("Stop all nodes", "UPDATE x", "fences");
  }
}
