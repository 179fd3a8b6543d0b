package io.portcullis.benchmarks.kubernetes;

import io.portcullis.servers.kubernetes.RequestLogEntry;
import io.portcullis.servers.kubernetes.Verb;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Requests per minute, by verb. */
record RequestRates(Map<Verb, Double> perMinute) {
  static RequestRates of(Collection<RequestLogEntry> requests, Duration window) {
    Map<Verb, Double> perMinute = new EnumMap<>(Verb.class);
    double minutes = window.toNanos() / 60e9;
    requests.forEach(asked -> perMinute.merge(asked.verb(), 1 / minutes, Double::sum));
    return new RequestRates(perMinute);
  }

  /** Returns the mean of several rates. */
  static RequestRates mean(List<RequestRates> flows) {
    Map<Verb, Double> mean = new EnumMap<>(Verb.class);
    for (RequestRates flow : flows) {
      flow.perMinute.forEach((verb, rate) -> mean.merge(verb, rate / flows.size(), Double::sum));
    }
    return new RequestRates(mean);
  }

  double of(Verb verb) {
    return perMinute.getOrDefault(verb, 0.0);
  }

  double all() {
    return perMinute.values().stream().mapToDouble(Double::doubleValue).sum();
  }
}
