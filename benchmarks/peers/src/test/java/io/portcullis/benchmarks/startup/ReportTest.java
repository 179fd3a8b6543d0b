package io.portcullis.benchmarks.startup;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReportTest {
  private static final long MIB = 1024;

  @Test
  void ratiosCompareWhatEachAgentAdds() {
    String text = report(2000, 2400, 200, 225);

    assertThat(text)
        .contains("| time until Started | 0.40 s | 4.00 s | 0.10 | <= 0.10 | yes |")
        .contains("| peak memory | 25.0 MiB | 100.0 MiB | 0.25 | <= 0.25 | yes |");
  }

  @Test
  void excessOverheadMissesTheTarget() {
    String text = report(2000, 2410, 200, 226);

    assertThat(text).contains("| <= 0.10 | NO |").contains("| <= 0.25 | NO |");
  }

  @Test
  void outliersChangeTheSpreadAndNotTheMedian() {
    String text =
        new Report(
                Map.of(
                    AttachedAgent.NONE,
                    starts(MIB, 1000, 1100, 9000),
                    AttachedAgent.PORTCULLIS,
                    starts(MIB, 1100, 1200, 1300),
                    AttachedAgent.OPENTELEMETRY,
                    starts(MIB, 3000, 3100, 3200)))
            .render();

    assertThat(text)
        .contains("| no agent | 1.10 s | 1.00 – 9.00 |")
        .contains("| time until Started | 0.10 s | 2.00 s | 0.05 |");
  }

  @Test
  void configurationHasTenRules() {
    assertThat(ShopAgentConfig.RULES).hasSize(10).doesNotHaveDuplicates();
  }

  /** OpenTelemetry adds four seconds and 100 MiB. */
  private static String report(int none, int portcullis, int noneMib, int portcullisMib) {
    return new Report(
            Map.of(
                AttachedAgent.NONE,
                starts(noneMib * MIB, none),
                AttachedAgent.PORTCULLIS,
                starts(portcullisMib * MIB, portcullis),
                AttachedAgent.OPENTELEMETRY,
                starts((noneMib + 100) * MIB, none + 4000)))
        .render();
  }

  private static List<StartMeasurement> starts(long peakKib, int... millis) {
    return IntStream.of(millis)
        .mapToObj(Duration::ofMillis)
        .map(time -> new StartMeasurement(time, time, time, peakKib))
        .toList();
  }
}
