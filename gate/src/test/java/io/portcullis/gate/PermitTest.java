package io.portcullis.gate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PermitTest {
  @ParameterizedTest
  @CsvSource({
    "1000, 0",
    "1, 0",
    "0, -1",
    "-1, -2",
    "5, -5",
    "-9223372036854775808, 9223372036854775807", // The clock is about to wrap around.
    "-9223372036854775800, 9223372036854775000"
  })
  void admitsBeforeItsDeadlineAtAnyClockValue(long deadlineNanos, long nowNanos) {
    assertThat(new Permit(1, deadlineNanos).admitsAt(nowNanos)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "0, 1",
    "-1, 0",
    "-5, 5",
    "9223372036854775807, -9223372036854775808", // The clock has just wrapped around.
    "9223372036854775807, 9223372036854775807",
    "9223372036854775000, -9223372036854775800"
  })
  void admitsNothingFromItsDeadlineOnAtAnyClockValue(long deadlineNanos, long nowNanos) {
    assertThat(new Permit(1, deadlineNanos).admitsAt(nowNanos)).isFalse();
  }
}
