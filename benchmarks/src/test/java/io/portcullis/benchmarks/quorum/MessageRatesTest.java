package io.portcullis.benchmarks.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MessageRatesTest {

  @Test
  void onlyMessagesOfThePeriodCount() {
    MessageRates flow = MessageRates.of(counts(100, 200), counts(110, 230), Duration.ofSeconds(2));

    assertThat(flow).isEqualTo(new MessageRates(5, 15, 500, 1500));
    assertThat(flow.bytesPerMessage()).isEqualTo(100);
  }

  @Test
  void meanIsComputedForEachFigure() {
    assertThat(
            MessageRates.mean(List.of(new MessageRates(1, 2, 3, 4), new MessageRates(3, 6, 5, 8))))
        .isEqualTo(new MessageRates(2, 4, 4, 6));
  }

  @Test
  void storeWithoutCountersCannotBeMeasured() {
    assertThatThrownBy(() -> MessageRates.of(Map.of(), Map.of(), Duration.ofSeconds(1)))
        .isInstanceOf(MeasurementException.class);
  }

  private static Map<String, Long> counts(long sent, long received) {
    return Map.of(
        "messages_sent",
        sent,
        "messages_received",
        received,
        "bytes_sent",
        sent * 100,
        "bytes_received",
        received * 100);
  }
}
