package io.portcullis.agent.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LeadershipRequestPolicyTest {
  private static final long SECOND = 1_000_000_000L;

  /** Close to the overflow, so that comparing values instead of differences fails. */
  private static final long START = Long.MAX_VALUE - 100 * SECOND;

  private final LeadershipRequestPolicy ambition =
      new LeadershipRequestPolicy(Duration.ofMinutes(1), Duration.ofSeconds(10));

  private @Nullable Long asks(@Nullable Long epoch, long second) {
    Duration well = ambition.healthyDurationIfDue(epoch, START + second * SECOND);
    return well == null ? null : Long.valueOf(well.toSeconds());
  }

  @Test
  void healthyStandbyRequestsAfterAMinuteThenAfterALease() {
    assertThat(asks(7L, 0)).isNull();
    assertThat(asks(7L, 59)).isNull();
    assertThat(asks(7L, 60)).isEqualTo(60);
    assertThat(asks(7L, 69)).isNull();
    assertThat(asks(7L, 70)).isEqualTo(70);
  }

  @Test
  void unansweredRequestsBackOffToFiveMinutes() {
    List<Long> asked = new ArrayList<>();
    for (long second = 0; second < 2000; second++) {
      if (asks(7L, second) != null) {
        asked.add(second);
      }
    }

    assertThat(asked)
        .containsExactly(60L, 70L, 90L, 130L, 210L, 370L, 670L, 970L, 1270L, 1570L, 1870L);
  }

  @Test
  void leavingStandbyRestartsTheMinute() {
    assertThat(asks(null, 0)).isNull();
    assertThat(asks(7L, 1)).isNull();
    assertThat(asks(null, 50)).isNull();
    assertThat(asks(7L, 51)).isNull();
    assertThat(asks(7L, 110)).isNull();
    assertThat(asks(7L, 111)).isEqualTo(60);
  }

  @Test
  void newLeaderRestartsTheMinute() {
    assertThat(asks(7L, 0)).isNull();
    assertThat(asks(8L, 59)).isNull();
    assertThat(asks(8L, 118)).isNull();
    assertThat(asks(8L, 119)).isEqualTo(60);
  }

  @Test
  void afterHandoverNextRequestWaitsFiveMinutes() {
    assertThat(asks(7L, 0)).isNull();
    assertThat(asks(7L, 60)).isEqualTo(60);
    assertThat(asks(8L, 61)).as("a third node leads").isNull();

    assertThat(asks(8L, 359)).isNull();
    assertThat(asks(8L, 360)).isEqualTo(299);
  }

  @Test
  void afterALongTenureRequestWaitsAMinute() {
    assertThat(asks(7L, 0)).isNull();
    assertThat(asks(7L, 60)).isEqualTo(60);
    assertThat(asks(null, 61)).as("leads").isNull();

    assertThat(asks(9L, 4000)).isNull();
    assertThat(asks(9L, 4060)).isEqualTo(60);
  }
}
