package io.portcullis.benchmarks.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TimesTest {

  @Test
  void ninetiethPercentileCoversNinetyPercent() {
    Times times =
        Times.of(IntStream.rangeClosed(1, 50).mapToObj(i -> Duration.ofMillis(51 - i)).toList());

    assertThat(times.quantile(0.9)).hasMillis(45);
    assertThat(times.median()).hasMillis(25);
    assertThat(times.longest()).hasMillis(50);
  }
}
