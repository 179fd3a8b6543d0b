package io.portcullis.agent.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.agent.health.EligibilityMonitor.HealthState;
import org.junit.jupiter.api.Test;

/** Tests the state of a health check with three failures to yield and five successes to return. */
class HealthStateTest {
  private HealthState state = HealthState.UNKNOWN;

  private void fails(int times) {
    for (int i = 0; i < times; i++) {
      state = state.after("http x: status 503", 3, 5);
    }
  }

  private void succeeds(int times) {
    for (int i = 0; i < times; i++) {
      state = state.after(null, 3, 5);
    }
  }

  @Test
  void firstSuccessMakesTheNodeEligible() {
    assertThat(state.eligible()).isFalse();
    fails(2);
    assertThat(state.eligible()).isFalse();

    succeeds(1);

    assertThat(state.eligible()).isTrue();
  }

  @Test
  void thirdConsecutiveFailureMakesIneligible() {
    succeeds(1);
    fails(2);
    succeeds(1);
    fails(2);
    assertThat(state.eligible()).isTrue();

    fails(1);

    assertThat(state.eligible()).isFalse();
    assertThat(state.why(5)).isEqualTo("not eligible: http x: status 503");
  }

  @Test
  void fiveConsecutiveSuccessesMakeEligibleAgain() {
    succeeds(1);
    fails(3);
    succeeds(4);
    assertThat(state.eligible()).isFalse();
    assertThat(state.why(5)).endsWith("; since then 4 of 5 successful checks");
    fails(1);
    succeeds(4);
    assertThat(state.eligible()).isFalse();

    succeeds(1);

    assertThat(state.eligible()).isTrue();
  }
}
