package io.portcullis.election.config;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All durations of one election, validated against each other. Created with {@link #builder()}.
 *
 * @param lease duration of a grant in the store
 * @param renew pause between the sending of one renewal and of the next
 * @param renewJitter fraction by which that pause varies
 * @param renewDeadline the gate shuts this long after the last successful renewal was sent, if that
 *     is earlier than the end of the lease
 * @param retry pauses after the first, second … consecutive failed renewal; the last one repeats
 * @param stepDownAfterRetries whether to step down once every retry has failed, instead of retrying
 *     until the lease has expired
 * @param askTimeout after this long without a response the outcome of a request is unknown
 * @param holdAfterLapse for this long after the gate shut because of a late renewal, the node
 *     continues to send requests, and may open the gate again under the same epoch
 * @param heldBackoff backoff of a standby while another node leads
 * @param unknownBackoff backoff of a standby while the store does not respond
 * @param drift how much faster or slower than real time a clock may run, as a fraction
 * @param longestLease the longest lease any node of this election has or recently had
 * @param firstElection whether an empty store is assumed to be new
 * @param drain how long calls in flight may take to finish when leadership is handed over
 * @param stale after this long without a heartbeat from the leader, followers log and flag it; has
 *     no effect on safety. Null: never
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

  /** Validates the timing and reports every problem at once. */
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
   * How much earlier than the store a node ends its own lease: twice the drift, since this node's
   * clock may run slow while the clock of a waiting node runs fast.
   */
  public long marginNanos() {
    return margin(lease, drift).toNanos();
  }

  /** How long a grant keeps the gate open, measured from the sending of its request. */
  public long validNanos() {
    return openFor(lease, drift, renewDeadline).toNanos();
  }

  /**
   * The pause after {@code failures} consecutive failed renewals, from 1; the last one configured
   * repeats.
   */
  public long retryPauseNanos(int failures) {
    return retry.get(Math.min(failures, retry.size()) - 1).toNanos();
  }

  /** Whether a node that has seen no record yet assumes an empty store to be new. */
  public enum FirstElection {
    /**
     * It is new: lead at once. If the store was emptied while a leader is alive, this is detected
     * too late.
     */
    AT_ONCE,
    /** It may have been emptied: wait for the longest lease first. */
    AFTER_LEASE
  }
}
