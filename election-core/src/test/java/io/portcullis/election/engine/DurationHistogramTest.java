package io.portcullis.election.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.engine.ElectionCounts.DurationHistogram;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DurationHistogramTest {

  @Test
  void durationIsCountedInItsFirstMatchingBucket() {
    DurationHistogram spread =
        DurationHistogram.NONE
            .plus(Duration.ofMillis(1))
            .plus(Duration.ofMillis(3))
            .plus(Duration.ofHours(1));

    assertThat(spread.counts()).startsWith(1L, 0L, 1L).endsWith(0L, 1L);
    assertThat(spread.sum()).isEqualTo(Duration.ofHours(1).plusMillis(4));
    assertThat(spread.last()).isEqualTo(Duration.ofHours(1));
  }
}
