package io.portcullis.benchmarks.quorum;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Traffic between a member and all others, per second.
 *
 * @param sent messages
 * @param received messages
 * @param bytesSent their bytes, before TCP
 * @param bytesReceived their bytes
 */
record MessageRates(double sent, double received, double bytesSent, double bytesReceived) {

  /** Computes the rates from a store's counters before and after a period. */
  static MessageRates of(Map<String, Long> before, Map<String, Long> after, Duration time) {
    ToDoubleFunction<String> rate =
        name -> (count(after, name) - count(before, name)) / (time.toNanos() / 1e9);
    return new MessageRates(
        rate.applyAsDouble("messages_sent"),
        rate.applyAsDouble("messages_received"),
        rate.applyAsDouble("bytes_sent"),
        rate.applyAsDouble("bytes_received"));
  }

  private static long count(Map<String, Long> counts, String name) {
    Long count = counts.get(name);
    if (count == null) {
      throw new MeasurementException("The store does not count " + name + ".");
    }
    return count;
  }

  static MessageRates mean(List<MessageRates> flows) {
    return new MessageRates(
        mean(flows, MessageRates::sent),
        mean(flows, MessageRates::received),
        mean(flows, MessageRates::bytesSent),
        mean(flows, MessageRates::bytesReceived));
  }

  private static double mean(List<MessageRates> flows, ToDoubleFunction<MessageRates> of) {
    return flows.stream().mapToDouble(of).average().orElse(0);
  }

  double messages() {
    return sent + received;
  }

  double bytesPerMessage() {
    return (bytesSent + bytesReceived) / messages();
  }
}
