package io.portcullis.benchmarks.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OptionsTest {

  @Test
  void allPartsAreMeasuredUnlessSomeAreNamed() {
    assertThat(Options.parse(List.of()).parts()).containsExactly(BenchmarkPart.values());
    assertThat(Options.parse(List.of("--quick", "hand-over")))
        .isEqualTo(Options.parse(List.of("hand-over", "--quick")))
        .satisfies(options -> assertThat(options.quick()).isTrue())
        .satisfies(options -> assertThat(options.parts()).containsExactly(BenchmarkPart.HAND_OVER));
  }

  @Test
  void timingKeysAreReadUnchanged() {
    assertThat(Options.parse(List.of("timing.lease=3s", "timing.renew=300ms")).timing())
        .isEqualTo(Map.of("timing.lease", "3s", "timing.renew", "300ms"));
  }

  @Test
  void unknownOptionIsRefused() {
    for (String argument :
        List.of("--slow", "coldstart", "lease=3s", "timing.lease", "timing.=3s")) {
      assertThatThrownBy(() -> Options.parse(List.of(argument)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(argument);
    }
  }
}
