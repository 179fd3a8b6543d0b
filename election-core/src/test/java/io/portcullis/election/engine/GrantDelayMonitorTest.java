package io.portcullis.election.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.engine.Status.StoreState;
import io.portcullis.election.engine.TransitionLog.LogSuffix;
import io.portcullis.election.log.LogCapture;
import io.portcullis.election.store.StoreFeatures.GrantDelay;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GrantDelayMonitorTest {
  private static final String SENTENCE =
      "Redis has run for 4 s and grants nothing for another 27 s (docs/redis.md#a-new-server)";

  private final GrantDelayMonitor monitor =
      new GrantDelayMonitor(
          new ElectionConfig(
              "orders",
              "delayed",
              "a-1-x",
              null,
              Timing.builder().lease(Duration.ofSeconds(6)).build()),
          new LogSuffix(" scope_key=42"));
  private final LogCapture lines = LogCapture.holding("election=delayed ");

  @AfterEach
  void close() {
    lines.close();
  }

  private static GrantDelay delay(Duration remaining) {
    return new GrantDelay("Redis has run for 4 s", remaining, "docs/redis.md#a-new-server");
  }

  @Test
  void remainingTimeIsRoundedUp() {
    assertThat(delay(Duration.ofMillis(26_001)).sentence()).isEqualTo(SENTENCE);
    assertThat(delay(Duration.ofSeconds(27)).sentence()).isEqualTo(SENTENCE);
    assertThat(delay(Duration.ofNanos(1)).sentence()).contains("another 1 s");
  }

  @Test
  void delayIsLoggedOnceUntilItEnds() {
    monitor.look(false, delay(Duration.ofSeconds(27)));
    monitor.look(false, delay(Duration.ofSeconds(26)));

    assertThat(lines.list())
        .containsExactly(
            "INFO portcullis election=delayed node=a-1-x waits for its store why=\""
                + SENTENCE
                + "\" scope_key=42");
    assertThat(monitor.sentence()).contains("another 26 s");

    monitor.look(false, null);
    assertThat(monitor.sentence()).isNull();
    monitor.look(false, delay(Duration.ofSeconds(27)));
    assertThat(lines.list()).hasSize(2);
  }

  @Test
  void delayIsOfNoInterestWhileALeaderIsKnown() {
    monitor.look(true, delay(Duration.ofSeconds(27)));

    assertThat(lines.list()).isEmpty();
    assertThat(monitor.sentence()).isNull();
  }

  @Test
  void statusExplainsTheDelayUnlessTheStoreIsSilent() {
    assertThat(explanation(null, null)).isEqualTo("started");
    assertThat(explanation(null, SENTENCE)).isEqualTo(SENTENCE);
    assertThat(explanation("no route", SENTENCE)).isEqualTo("the store does not respond: no route");
  }

  private static String explanation(@Nullable String problem, @Nullable String grantDelay) {
    Status status = Status.notStarted(0, "started");
    return new Status(
            status.role(),
            status.sinceMillis(),
            status.why(),
            status.leadership(),
            new StoreState(problem, null, grantDelay, false, true),
            status.engine(),
            status.counts())
        .explanation();
  }
}
