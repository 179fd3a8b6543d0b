package io.portcullis.agent.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.store.Preference;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CourtesyTest {
  private static final long SECOND = 1_000_000_000L;

  private final Courtesy courtesy = new Courtesy(Duration.ofMinutes(1));

  @Test
  void aLeaderGivesWayToWhoHasBeenWellForAMinute() {
    Preference preferred = new Preference("a", -7 * SECOND);

    assertThat(courtesy.isDue(preferred, 52 * SECOND)).isFalse();
    assertThat(courtesy.isDue(preferred, 53 * SECOND)).isTrue();
  }

  @Test
  void andNotAgainForFiveMinutes() {
    courtesy.given(60 * SECOND);

    assertThat(courtesy.isDue(new Preference("a", 100 * SECOND), 359 * SECOND)).isFalse();
    assertThat(courtesy.isDue(new Preference("a", 100 * SECOND), 360 * SECOND)).isTrue();
  }
}
