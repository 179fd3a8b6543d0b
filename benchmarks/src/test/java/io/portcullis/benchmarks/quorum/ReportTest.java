package io.portcullis.benchmarks.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReportTest {
  private static final MessageRates FOLLOWER = new MessageRates(1, 1, 70, 70);

  @Test
  void medianWithinTheTargetReachesIt() {
    Report report = new Report(List.of(coldStart(300, 400, 1500), handOver(10, 50, 900)));

    assertThat(report.allTargetsReached()).isTrue();
    assertThat(report.render())
        .contains("| 5 members | 3 | 0.40 s | 1.50 s | 0.40 s | 1.50 s |\n")
        .contains("| 3 members | 3 | 50.0 ms | 900.0 ms | 900.0 ms |\n")
        .contains("| cold start of 5, median < 1 s | 0.40 s | yes |\n")
        .contains("| hand-over among 3, median <= 50 ms | 50.0 ms | yes |\n");
  }

  @Test
  void oneMissedTargetFailsTheReport() {
    Report report = new Report(List.of(coldStart(300, 1000, 1500), handOver(10)));

    assertThat(report.allTargetsReached()).isFalse();
    assertThat(report.render()).contains("| cold start of 5, median < 1 s | 1.00 s | NO |\n");
  }

  @Test
  void onlyTheLeaderMaySendMoreToMoreFollowers() {
    Traffic.Group three = new Traffic.Group(3, new MessageRates(2, 2, 140, 140), FOLLOWER);
    Traffic.Group fifty = new Traffic.Group(50, new MessageRates(49, 49, 3430, 3430), FOLLOWER);
    Traffic.Group chatty =
        new Traffic.Group(
            50, new MessageRates(98, 98, 6860, 6860), new MessageRates(2, 2, 500, 300));

    assertThat(new Traffic(List.of(three, fifty)).verdicts()).allMatch(TargetResult::reached);
    assertThat(new Traffic(List.of(three, chatty)).verdicts())
        .hasSize(3)
        .noneMatch(TargetResult::reached);
    assertThat(new Traffic(List.of(three, fifty)).table())
        .contains("| 50 members: the leader | 49.00 | 49.00 | 3430 | 3430 | 2.00 | 70.0 |\n")
        .contains("| 50 members: a follower | 1.00 | 1.00 | 70 | 70 |  | 70.0 |\n");
  }

  private static ColdStart coldStart(int... millis) {
    return new ColdStart(
        List.of(new ColdStart.Group(5, times(millis), times(millis), Duration.ofSeconds(1))));
  }

  private static HandOver handOver(int... millis) {
    return new HandOver(List.of(new HandOver.Group(3, times(millis))));
  }

  private static Times times(int... millis) {
    return Times.of(IntStream.of(millis).mapToObj(Duration::ofMillis).toList());
  }
}
