package io.portcullis.election.config;

import io.portcullis.election.config.Timing.FirstElection;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link Timing}. Whatever is not set follows the lease: with the default lease of 30 s, a
 * renewal every 10 s, retries after 500 ms, 1 s and 2 s, an answer awaited for 2 s, a standby that
 * asks every 5 to 60 s; with another lease all of these in proportion, except that an answer is
 * awaited for a second if the lease has room for it: the first one in a cold JVM takes that long.
 */
public final class TimingBuilder {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private Duration lease = Duration.ofSeconds(30);
  private @Nullable Duration renew;
  private double renewJitter;
  private @Nullable Duration renewDeadline;
  private @Nullable List<Duration> retry;
  private boolean stepDownAfterRetries = true;
  private @Nullable Duration askTimeout;
  private Duration holdAfterLapse = Duration.ZERO;
  private @Nullable Backoff heldBackoff;
  private @Nullable Backoff unknownBackoff;
  private double drift = 0.01;
  private @Nullable Duration longestLease;
  private FirstElection firstElection = FirstElection.AT_ONCE;
  private Duration drain = Duration.ofSeconds(30);
  private @Nullable Duration stale;

  TimingBuilder() {}

  /** How long a grant lasts. */
  public TimingBuilder lease(Duration value) {
    lease = Objects.requireNonNull(value, "lease");
    return this;
  }

  /** Pause between renewals. */
  public TimingBuilder renew(Duration value) {
    renew = Objects.requireNonNull(value, "renew");
    return this;
  }

  /** Share by which the pause between renewals varies. */
  public TimingBuilder renewJitter(double value) {
    renewJitter = value;
    return this;
  }

  /** Shuts the gate this long after the last good renewal; default: the lease decides. */
  public TimingBuilder renewDeadline(Duration value) {
    renewDeadline = Objects.requireNonNull(value, "renewDeadline");
    return this;
  }

  /** Pauses after failed renewals, and then step down. */
  public TimingBuilder retryThenStepDown(List<Duration> pauses) {
    retry = List.copyOf(pauses);
    stepDownAfterRetries = true;
    return this;
  }

  /** Pauses after failed renewals; the last one repeats until the lease has run out. */
  public TimingBuilder retryUntilLapse(List<Duration> pauses) {
    retry = List.copyOf(pauses);
    stepDownAfterRetries = false;
    return this;
  }

  /** After this long a request counts as unknown. */
  public TimingBuilder askTimeout(Duration value) {
    askTimeout = Objects.requireNonNull(value, "askTimeout");
    return this;
  }

  /** How long to go on asking after the gate shut on a late renewal. */
  public TimingBuilder holdAfterLapse(Duration value) {
    holdAfterLapse = Objects.requireNonNull(value, "holdAfterLapse");
    return this;
  }

  /** The pace of a standby while another leads. */
  public TimingBuilder heldBackoff(Backoff value) {
    heldBackoff = Objects.requireNonNull(value, "whenHeld");
    return this;
  }

  /** The pace of a standby while the store does not answer. */
  public TimingBuilder unknownBackoff(Backoff value) {
    unknownBackoff = Objects.requireNonNull(value, "whenUnknown");
    return this;
  }

  /** How far a clock's rate may be off, as a share. */
  public TimingBuilder drift(double value) {
    drift = value;
    return this;
  }

  /** The longest lease of any node of this election; default: the own lease. */
  public TimingBuilder longestLease(Duration value) {
    longestLease = Objects.requireNonNull(value, "longestLease");
    return this;
  }

  /** Whether an empty store is trusted to be new. */
  public TimingBuilder firstElection(FirstElection value) {
    firstElection = Objects.requireNonNull(value, "firstElection");
    return this;
  }

  /** How long calls in flight may take to finish when letting go. */
  public TimingBuilder drain(Duration value) {
    drain = Objects.requireNonNull(value, "drain");
    return this;
  }

  /** After so long without a sign of life from the leader, followers say so; default: never. */
  public TimingBuilder stale(Duration value) {
    stale = Objects.requireNonNull(value, "stale");
    return this;
  }

  private static Duration patience(Duration lease) {
    Duration room = lease.dividedBy(5);
    Duration least = room.compareTo(SECOND) < 0 ? room : SECOND;
    Duration share = lease.dividedBy(15);
    return share.compareTo(least) > 0 ? share : least;
  }

  /** The timing, or {@link InvalidElectionException} with a sentence for every broken relation. */
  public Timing build() {
    Backoff pace = new Backoff(lease.dividedBy(6), lease.multipliedBy(2), 0.1);
    return new Timing(
        lease,
        renew == null ? lease.dividedBy(3) : renew,
        renewJitter,
        renewDeadline == null ? lease : renewDeadline,
        retry == null
            ? List.of(lease.dividedBy(60), lease.dividedBy(30), lease.dividedBy(15))
            : retry,
        stepDownAfterRetries,
        askTimeout == null ? patience(lease) : askTimeout,
        holdAfterLapse,
        heldBackoff == null ? pace : heldBackoff,
        unknownBackoff == null ? pace : unknownBackoff,
        drift,
        longestLease == null ? lease : longestLease,
        firstElection,
        drain,
        stale);
  }
}
