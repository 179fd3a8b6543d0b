package io.portcullis.election.sim;

import io.portcullis.election.simulation.InvariantViolationException;
import io.portcullis.election.store.Claim;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.Granted;
import io.portcullis.election.store.LeaseResponse.HeldByOther;
import io.portcullis.election.store.RecordVersion;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A store like those of the backends: either one that counts leases by its own clock and lets the
 * entry of a lease expire (like Redis), or one that only compares (Postgres, Kubernetes).
 */
final class SimStore {
  /** State of a store's memory after a restart. */
  enum Restart {
    KEPT,
    OLD_COPY,
    EMPTY
  }

  private static final long EPOCH_BASE = 1_700_000_000L;
  private static final long SECOND = 1_000_000_000L;

  /**
   * The state that survives a restart.
   *
   * @param grantedIn the store incarnation in which the record's epoch was granted
   * @param hasEntry whether the entry that expires exists
   */
  private record Row(
      LeaseRecord record, int grantedIn, long renewedAt, long entryUntil, boolean hasEntry) {}

  private final boolean counts;
  private final double rate;
  private long steppedNanos;
  private int incarnationNumber = 1;
  private long bornAt = Long.MIN_VALUE / 4;
  private long versions;
  private @Nullable Row row;
  private @Nullable Row oldCopy;
  private long highestGranted;

  SimStore(boolean counts, double rate) {
    this.counts = counts;
    this.rate = rate;
  }

  boolean counts() {
    return counts;
  }

  LeaseResponse serve(LeaseRequest request, long time) {
    long now = clockAt(time);
    if (request instanceof LeaseRequest.Acquire acquire) {
      return acquire(acquire.claim(), now);
    }
    if (request instanceof LeaseRequest.Renew renew) {
      return renew(renew, now);
    }
    if (request instanceof LeaseRequest.Release release) {
      release(release, now);
    }
    return new HeldByOther(shown(now));
  }

  /** The store's wall clock at the world's {@code time}, in nanoseconds. */
  private long clockAt(long time) {
    return (long) (time * rate) + steppedNanos;
  }

  long wallMillisAt(long time) {
    return clockAt(time) / 1_000_000;
  }

  /** Sets its wall clock forward: the leases that it counts end sooner. */
  void stepClock(long nanos) {
    steppedNanos += nanos;
  }

  private LeaseResponse acquire(Claim claim, long now) {
    LeaseRecord current = shown(now);
    if (isTooYoungFor(claim, now)) {
      return new HeldByOther(current);
    }
    if (current.isNone()) {
      write(
          claim.initialRecord(incarnation(), nextVersion(), unixSecond(now)),
          incarnationNumber,
          now,
          false);
      return new HeldByOther(shown(now));
    }
    boolean stillCounted = counts && !current.released() && current.remaining().toNanos() > 0;
    if (stillCounted || !claim.mayTake(current)) {
      return new HeldByOther(current);
    }
    boolean unbroken = grantedIn() == incarnationNumber;
    long epoch = claim.nextEpoch(current, unbroken, unixSecond(now));
    if (epoch <= highestGranted) {
      throw new InvariantViolationException("epoch " + epoch + " granted after " + highestGranted);
    }
    highestGranted = epoch;
    RecordVersion recordVersion =
        new RecordVersion(incarnation(), claim.node(), epoch, nextVersion());
    write(
        new LeaseRecord(recordVersion, claim.address(), claim.lease(), claim.lease(), false),
        incarnationNumber,
        now,
        true);
    return new Granted(epoch, incarnation());
  }

  private boolean isTooYoungFor(Claim claim, long now) {
    return counts && now - bornAt < claim.longestLease().toNanos() + SECOND;
  }

  private LeaseResponse renew(LeaseRequest.Renew renew, long now) {
    LeaseRecord current = shown(now);
    boolean entryGone = counts && (row == null || !row.hasEntry() || now >= row.entryUntil());
    if (entryGone || !current.isHeldBy(renew.node(), renew.epoch())) {
      return new HeldByOther(current);
    }
    RecordVersion recordVersion =
        new RecordVersion(incarnation(), renew.node(), renew.epoch(), nextVersion());
    write(
        new LeaseRecord(recordVersion, renew.address(), renew.lease(), renew.lease(), false),
        grantedIn(),
        now,
        true);
    return new Granted(renew.epoch(), incarnation());
  }

  private void release(LeaseRequest.Release release, long now) {
    LeaseRecord current = shown(now);
    if (current.isHeldBy(release.node(), release.epoch())
        && incarnation().equals(release.incarnation())) {
      RecordVersion recordVersion =
          new RecordVersion(incarnation(), release.node(), release.epoch(), nextVersion());
      write(
          new LeaseRecord(recordVersion, current.address(), current.lease(), Duration.ZERO, true),
          grantedIn(),
          now,
          false);
    }
  }

  private int grantedIn() {
    return row == null ? incarnationNumber : row.grantedIn();
  }

  private void write(LeaseRecord record, int grantedIn, long now, boolean withEntry) {
    long until = now + record.lease().toNanos();
    row = new Row(record, grantedIn, now, until, withEntry);
  }

  private LeaseRecord shown(long now) {
    if (row == null) {
      return LeaseRecord.none(incarnation());
    }
    LeaseRecord kept = row.record();
    long left =
        counts
            ? Math.max(0, row.renewedAt() + kept.lease().toNanos() - now)
            : kept.lease().toNanos();
    RecordVersion was = kept.recordVersion();
    RecordVersion recordVersion =
        new RecordVersion(incarnation(), was.holder(), was.epoch(), was.version());
    return new LeaseRecord(
        recordVersion, kept.address(), kept.lease(), Duration.ofNanos(left), kept.released());
  }

  private String incarnation() {
    return "incarnation-" + incarnationNumber;
  }

  private String nextVersion() {
    versions++;
    return "v" + versions;
  }

  private static long unixSecond(long now) {
    return EPOCH_BASE + now / SECOND;
  }

  /** Removes only the entry, like an operator's DEL or an eviction; the record remains. */
  void loseEntry() {
    if (row != null) {
      row = new Row(row.record(), row.grantedIn(), row.renewedAt(), row.entryUntil(), false);
    }
  }

  /** Removes everything, like FLUSHALL or a deleted row or Lease; no restart reveals it. */
  void loseEverything() {
    row = null;
    if (!counts) {
      incarnationNumber++; // A new row or Lease is distinguished from the old one by its uid.
    }
  }

  void copy() {
    oldCopy = row;
  }

  void restart(Restart how, long time) {
    incarnationNumber++;
    bornAt = clockAt(time);
    if (how == Restart.EMPTY) {
      row = null;
    } else if (how == Restart.OLD_COPY) {
      row = oldCopy;
    }
  }

  @Override
  public String toString() {
    return row == null
        ? incarnation() + " empty"
        : incarnation() + " " + row.record() + (row.hasEntry() ? "" : " no entry");
  }
}
