package io.portcullis.election.config;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All durations of one election, checked against each other. Made by {@link #builder()}.
 *
 * @param lease how long a grant lasts in the store
 * @param renew pause from one renewal's sending to the next one's
 * @param renewJitter share by which that pause varies
 * @param renewDeadline the gate shuts this long after the last good renewal left, if that is
 *     earlier than the lease's end
 * @param retry pauses after the first, second … failed renewal in a row; the last one repeats
 * @param stepDownAfterRetries whether to let go once each retry has failed, instead of going on
 *     until the lease has run out
 * @param askTimeout after this long without an answer a request counts as unknown
 * @param holdAfterLapse for this long after the gate shut on a late renewal the node goes on
 *     asking, and may open again under the same epoch
 * @param heldBackoff the pace of a standby while another leads
 * @param unknownBackoff the pace of a standby while the store does not answer
 * @param drift how much faster or slower than real time a clock may run, as a share
 * @param longestLease the longest lease any node of this election has or had lately
 * @param firstElection whether an empty store is trusted to be new
 * @param drain how long calls in flight may take to finish when letting go
 * @param stale after so long without a sign of life from the leader, followers log it and flag it;
 *     says nothing about safety. Null: never
 */
public record Timing(
    Duration lease,
    Duration renew,
    double renewJitter,
    Duration renewDeadline,
    List<Duration> retry,
    boolean stepDownAfterRetries,
    Duration askTimeout,
    Duration holdAfterLapse,
    Backoff heldBackoff,
    Backoff unknownBackoff,
    double drift,
    Duration longestLease,
    FirstElection firstElection,
    Duration drain,
    @Nullable Duration stale) {

  /** Refuses impossible timings, all of them at once. */
  public Timing {
    retry = List.copyOf(retry);
    TimingCheck check = new TimingCheck();
    check.durations(lease, renew, renewDeadline, askTimeout, longestLease, drain, holdAfterLapse);
    check.stale(stale);
    check.shares(renewJitter, drift);
    check.backoffs(heldBackoff, unknownBackoff);
    check.retries(retry);
    if (check.isClean()) {
      check.relations(lease, renew, renewJitter, renewDeadline, margin(lease, drift), longestLease);
      check.retriesFit(renew, retry, stepDownAfterRetries, openFor(lease, drift, renewDeadline));
      check.askFits(askTimeout, openFor(lease, drift, renewDeadline), holdAfterLapse);
      check.staleFits(stale, lease);
    }
    check.throwIfBroken();
  }

  /** A builder with the defaults of an election on Redis: lease 30 s, renewal every 10 s. */
  public static TimingBuilder builder() {
    return new TimingBuilder();
  }

  private static Duration openFor(Duration lease, double drift, Duration renewDeadline) {
    Duration valid = lease.minus(margin(lease, drift));
    return valid.compareTo(renewDeadline) < 0 ? valid : renewDeadline;
  }

  private static Duration margin(Duration lease, double drift) {
    return Duration.ofNanos((long) Math.ceil(2 * drift * lease.toNanos()));
  }

  /**
   * How much earlier than the store a node ends its own lease: twice the drift, since the node's
   * clock may run slow while a waiter's runs fast.
   */
  public long marginNanos() {
    return margin(lease, drift).toNanos();
  }

  /** How long after its sending a grant keeps the gate open. */
  public long validNanos() {
    return openFor(lease, drift, renewDeadline).toNanos();
  }

  /** The pause after so many failed renewals in a row, from 1; the last one named repeats. */
  public long retryPauseNanos(int failures) {
    return retry.get(Math.min(failures, retry.size()) - 1).toNanos();
  }

  /** Whether an empty store is trusted to be new by a node that has seen nothing yet. */
  public enum FirstElection {
    /** It is new: lead at once. A store emptied while a leader lives is then noticed too late. */
    AT_ONCE,
    /** It may have been emptied: wait out the longest lease first. */
    AFTER_LEASE
  }
}
