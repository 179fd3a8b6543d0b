package io.portcullis.benchmarks.failover;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TimesTest {

  @Test
  void ninetiethPercentileCoversNinetyPercent() {
    Times times = millis(IntStream.rangeClosed(1, 50).map(i -> 51 - i).toArray());

    assertThat(times.quantile(0.9)).hasMillis(45);
    assertThat(times.median()).hasMillis(25);
    assertThat(times.longest()).hasMillis(50);
  }

  @Test
  void singleTimeIsEveryQuantile() {
    Times times = millis(7);

    assertThat(List.of(times.median(), times.quantile(0.9), times.longest()))
        .containsOnly(Duration.ofMillis(7));
  }

  private static Times millis(int... millis) {
    return Times.of(IntStream.of(millis).mapToObj(Duration::ofMillis).toList());
  }
}
