package io.portcullis.backend.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.backend.redis.ServerStartDelay.ServerAge;
import io.portcullis.election.store.StoreFeatures.GrantDelay;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ServerStartDelayTest {
  private final ServerStartDelay delay = new ServerStartDelay();

  private static long second(long number) {
    return Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(10) + TimeUnit.SECONDS.toNanos(number);
  }

  private String sentenceAt(long second) {
    GrantDelay now = Objects.requireNonNull(delay.at(second(second)));
    return now.sentence();
  }

  @Test
  void uptimeAndRemainingTimeAreThoseOfNow() {
    assertThat(delay.at(second(0))).isNull();

    delay.onReply(new ServerAge(true, 3_000, 27_000), second(0));

    assertThat(sentenceAt(0))
        .isEqualTo(
            "Redis has run for 4 s and grants nothing for another 27 s"
                + " (docs/redis.md#a-new-server)");
    assertThat(sentenceAt(20)).contains("has run for 24 s", "another 7 s");
    assertThat(delay.at(second(27))).isNull();
  }

  @Test
  void laterResponseEndsTheDelay() {
    delay.onReply(new ServerAge(true, 3_000, 27_000), second(0));
    delay.onReply(new ServerAge(true, 4_000, 0), second(1));

    assertThat(delay.at(second(1))).isNull();
  }

  @Test
  void missingRightIsNamed() {
    delay.onReply(new ServerAge(false, 3_000, 27_000), second(0));

    assertThat(sentenceAt(0))
        .startsWith("Redis may have restarted 3 s ago (INFO is not allowed) and grants nothing");
  }
}
