package io.portcullis.election.config;

import io.portcullis.election.config.Timing.FirstElection;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link Timing}. Values that are not set are derived from the lease. With the default
 * lease of 30 s: renewal every 10 s, retries after 500 ms, 1 s and 2 s, a response timeout of 2 s,
 * and a standby that sends a request every 5 to 60 s. With another lease these scale in proportion,
 * except that the response timeout is at least a second if the lease is long enough: the first
 * response in a cold JVM takes that long.
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

  /** Duration of a grant. */
  public TimingBuilder lease(Duration value) {
    lease = Objects.requireNonNull(value, "lease");
    return this;
  }

  /** Pause between renewals. */
  public TimingBuilder renew(Duration value) {
    renew = Objects.requireNonNull(value, "renew");
    return this;
  }

  /** Fraction by which the pause between renewals varies. */
  public TimingBuilder renewJitter(double value) {
    renewJitter = value;
    return this;
  }

  /** The gate shuts this long after the last successful renewal; default: the lease. */
  public TimingBuilder renewDeadline(Duration value) {
    renewDeadline = Objects.requireNonNull(value, "renewDeadline");
    return this;
  }

  /** Pauses after failed renewals; after the last one the node steps down. */
  public TimingBuilder retryThenStepDown(List<Duration> pauses) {
    retry = List.copyOf(pauses);
    stepDownAfterRetries = true;
    return this;
  }

  /** Pauses after failed renewals; the last one repeats until the lease has expired. */
  public TimingBuilder retryUntilLapse(List<Duration> pauses) {
    retry = List.copyOf(pauses);
    stepDownAfterRetries = false;
    return this;
  }

  /** After this long without a response the outcome of a request is unknown. */
  public TimingBuilder askTimeout(Duration value) {
    askTimeout = Objects.requireNonNull(value, "askTimeout");
    return this;
  }

  /** How long to continue sending requests after the gate shut because of a late renewal. */
  public TimingBuilder holdAfterLapse(Duration value) {
    holdAfterLapse = Objects.requireNonNull(value, "holdAfterLapse");
    return this;
  }

  /** Backoff of a standby while another node leads. */
  public TimingBuilder heldBackoff(Backoff value) {
    heldBackoff = Objects.requireNonNull(value, "heldBackoff");
    return this;
  }

  /** Backoff of a standby while the store does not respond. */
  public TimingBuilder unknownBackoff(Backoff value) {
    unknownBackoff = Objects.requireNonNull(value, "unknownBackoff");
    return this;
  }

  /** How much faster or slower than real time a clock may run, as a fraction. */
  public TimingBuilder drift(double value) {
    drift = value;
    return this;
  }

  /** The longest lease of any node of this election; default: this node's lease. */
  public TimingBuilder longestLease(Duration value) {
    longestLease = Objects.requireNonNull(value, "longestLease");
    return this;
  }

  /** Whether an empty store is assumed to be new. */
  public TimingBuilder firstElection(FirstElection value) {
    firstElection = Objects.requireNonNull(value, "firstElection");
    return this;
  }

  /** How long calls in flight may take to finish when leadership is handed over. */
  public TimingBuilder drain(Duration value) {
    drain = Objects.requireNonNull(value, "drain");
    return this;
  }

  /** After this long without a heartbeat from the leader, followers log it; default: never. */
  public TimingBuilder stale(Duration value) {
    stale = Objects.requireNonNull(value, "stale");
    return this;
  }

  private static Duration defaultAskTimeout(Duration lease) {
    Duration room = lease.dividedBy(5);
    Duration least = room.compareTo(SECOND) < 0 ? room : SECOND;
    Duration share = lease.dividedBy(15);
    return share.compareTo(least) > 0 ? share : least;
  }

  /**
   * Builds the timing.
   *
   * @throws InvalidElectionException with a sentence for every broken relation
   */
  public Timing build() {
    Backoff backoff = new Backoff(lease.dividedBy(6), lease.multipliedBy(2), 0.1);
    return new Timing(
        lease,
        renew == null ? lease.dividedBy(3) : renew,
        renewJitter,
        renewDeadline == null ? lease : renewDeadline,
        retry == null
            ? List.of(lease.dividedBy(60), lease.dividedBy(30), lease.dividedBy(15))
            : retry,
        stepDownAfterRetries,
        askTimeout == null ? defaultAskTimeout(lease) : askTimeout,
        holdAfterLapse,
        heldBackoff == null ? backoff : heldBackoff,
        unknownBackoff == null ? backoff : unknownBackoff,
        drift,
        longestLease == null ? lease : longestLease,
        firstElection,
        drain,
        stale);
  }
}
