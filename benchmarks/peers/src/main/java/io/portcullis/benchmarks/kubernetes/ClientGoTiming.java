package io.portcullis.benchmarks.kubernetes;

import java.time.Duration;

/**
 * client-go's default settings, which are also the agent's, and the request rates they cause in
 * client-go.
 */
final class ClientGoTiming {
  static final Duration LEASE = Duration.ofSeconds(15);
  static final Duration RENEW_DEADLINE = Duration.ofSeconds(10);
  static final Duration RETRY = Duration.ofSeconds(2);

  /** client-go's leader sends one update each retry. */
  static final double LEADER_PER_MINUTE = 60.0 / RETRY.toSeconds();

  /** client-go's standby sends one get after 1 to 2.2 retries, 3.2 s on average. */
  static final double STANDBY_PER_MINUTE = 60.0 / (RETRY.toSeconds() * (1 + 2.2) / 2);

  private ClientGoTiming() {}
}
