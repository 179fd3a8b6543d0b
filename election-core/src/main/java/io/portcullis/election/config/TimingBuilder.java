package io.portcullis.election.config;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds a {@link Timing}; whatever is not set has a default that fits the lease of 30 seconds. */
public final class TimingBuilder {
  private Duration lease = Duration.ofSeconds(30);
  private Duration renew = Duration.ofSeconds(10);
  private double renewJitter;
  private @Nullable Duration renewDeadline;
  private List<Duration> retry =
      List.of(Duration.ofMillis(500), Duration.ofSeconds(1), Duration.ofSeconds(2));
  private boolean stepDownAfterRetries = true;
  private Duration askTimeout = Duration.ofSeconds(2);
  private Duration holdAfterLapse = Duration.ZERO;
  private Pace whenHeld = new Pace(Duration.ofSeconds(5), Duration.ofSeconds(60), 0.1);
  private Pace whenUnknown = new Pace(Duration.ofSeconds(5), Duration.ofSeconds(60), 0.1);
  private double drift = 0.01;
  private @Nullable Duration longestLease;
  private FirstElection firstElection = FirstElection.AT_ONCE;
  private Duration drain = Duration.ofSeconds(30);

  TimingBuilder() {}

  /** How long a grant lasts. */
  public TimingBuilder lease(Duration value) {
    lease = value;
    return this;
  }

  /** Pause between renewals. */
  public TimingBuilder renew(Duration value) {
    renew = value;
    return this;
  }

  /** Share by which the pause between renewals varies. */
  public TimingBuilder renewJitter(double value) {
    renewJitter = value;
    return this;
  }

  /** Shuts the gate this long after the last good renewal; default: the lease decides. */
  public TimingBuilder renewDeadline(Duration value) {
    renewDeadline = value;
    return this;
  }

  /** Pauses after failed renewals, and then step down. */
  public TimingBuilder retryThenStepDown(List<Duration> pauses) {
    retry = pauses;
    stepDownAfterRetries = true;
    return this;
  }

  /** Pauses after failed renewals; the last one repeats until the lease has run out. */
  public TimingBuilder retryUntilLapse(List<Duration> pauses) {
    retry = pauses;
    stepDownAfterRetries = false;
    return this;
  }

  /** After this long a request counts as unknown. */
  public TimingBuilder askTimeout(Duration value) {
    askTimeout = value;
    return this;
  }

  /** How long to go on asking after the gate shut on a late renewal. */
  public TimingBuilder holdAfterLapse(Duration value) {
    holdAfterLapse = value;
    return this;
  }

  /** The pace of a standby while another leads. */
  public TimingBuilder whenHeld(Pace value) {
    whenHeld = value;
    return this;
  }

  /** The pace of a standby while the store does not answer. */
  public TimingBuilder whenUnknown(Pace value) {
    whenUnknown = value;
    return this;
  }

  /** How far a clock's rate may be off, as a share. */
  public TimingBuilder drift(double value) {
    drift = value;
    return this;
  }

  /** The longest lease of any node of this election; default: the own lease. */
  public TimingBuilder longestLease(Duration value) {
    longestLease = value;
    return this;
  }

  /** Whether an empty store is trusted to be new. */
  public TimingBuilder firstElection(FirstElection value) {
    firstElection = value;
    return this;
  }

  /** How long calls in flight may take to finish when letting go. */
  public TimingBuilder drain(Duration value) {
    drain = value;
    return this;
  }

  /** The timing, or {@link InvalidElection} with a sentence for every broken relation. */
  public Timing build() {
    return new Timing(
        lease,
        renew,
        renewJitter,
        renewDeadline == null ? lease : renewDeadline,
        retry,
        stepDownAfterRetries,
        askTimeout,
        holdAfterLapse,
        whenHeld,
        whenUnknown,
        drift,
        longestLease == null ? lease : longestLease,
        firstElection,
        drain);
  }
}
