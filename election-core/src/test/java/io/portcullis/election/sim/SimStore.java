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
 * A store as the backends will be: either one that counts leases down by its own clock and lets the
 * entry of a lease expire (as Redis does), or one that only compares (Postgres, Kubernetes).
 */
final class SimStore {
  /** What the memory of a store looks like after a restart. */
  enum Restart {
    KEPT,
    OLD_COPY,
    EMPTY
  }

  private static final long EPOCH_BASE = 1_700_000_000L;
  private static final long SECOND = 1_000_000_000L;

  /**
   * What survives.
   *
   * @param grantedIn the life of the store in which the record's epoch was given out
   * @param hasEntry whether the entry that expires is there
   */
  private record Row(
      LeaseRecord record, int grantedIn, long renewedAt, long entryUntil, boolean hasEntry) {}

  private final boolean counts;
  private final double rate;
  private long steppedNanos;
  private int incarnation = 1;
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

  /** Its wall clock at the world's {@code time}, in nanoseconds. */
  private long clockAt(long time) {
    return (long) (time * rate) + steppedNanos;
  }

  long wallMillisAt(long time) {
    return clockAt(time) / 1_000_000;
  }

  /** Its wall clock is set forward: what it counts ends sooner. */
  void stepClock(long nanos) {
    steppedNanos += nanos;
  }

  private LeaseResponse acquire(Claim claim, long now) {
    LeaseRecord current = shown(now);
    if (isTooYoungFor(claim, now)) {
      return new HeldByOther(current);
    }
    if (current.isNone()) {
      write(claim.initialRecord(life(), nextVersion(), unixSecond(now)), incarnation, now, false);
      return new HeldByOther(shown(now));
    }
    boolean stillCounted = counts && !current.released() && current.remaining().toNanos() > 0;
    if (stillCounted || !claim.mayTake(current)) {
      return new HeldByOther(current);
    }
    boolean unbroken = grantedIn() == incarnation;
    long epoch = claim.nextEpoch(current, unbroken, unixSecond(now));
    if (epoch <= highestGranted) {
      throw new InvariantViolationException("epoch " + epoch + " granted after " + highestGranted);
    }
    highestGranted = epoch;
    RecordVersion stamp = new RecordVersion(life(), claim.node(), epoch, nextVersion());
    write(
        new LeaseRecord(stamp, claim.address(), claim.lease(), claim.lease(), false),
        incarnation,
        now,
        true);
    return new Granted(epoch, life());
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
    RecordVersion stamp = new RecordVersion(life(), renew.node(), renew.epoch(), nextVersion());
    write(
        new LeaseRecord(stamp, renew.address(), renew.lease(), renew.lease(), false),
        grantedIn(),
        now,
        true);
    return new Granted(renew.epoch(), life());
  }

  private void release(LeaseRequest.Release release, long now) {
    LeaseRecord current = shown(now);
    if (current.isHeldBy(release.node(), release.epoch()) && life().equals(release.incarnation())) {
      RecordVersion stamp =
          new RecordVersion(life(), release.node(), release.epoch(), nextVersion());
      write(
          new LeaseRecord(stamp, current.address(), current.lease(), Duration.ZERO, true),
          grantedIn(),
          now,
          false);
    }
  }

  private int grantedIn() {
    return row == null ? incarnation : row.grantedIn();
  }

  private void write(LeaseRecord record, int grantedIn, long now, boolean withEntry) {
    long until = now + record.lease().toNanos();
    row = new Row(record, grantedIn, now, until, withEntry);
  }

  private LeaseRecord shown(long now) {
    if (row == null) {
      return LeaseRecord.none(life());
    }
    LeaseRecord kept = row.record();
    long left =
        counts
            ? Math.max(0, row.renewedAt() + kept.lease().toNanos() - now)
            : kept.lease().toNanos();
    RecordVersion was = kept.recordVersion();
    RecordVersion stamp = new RecordVersion(life(), was.holder(), was.epoch(), was.version());
    return new LeaseRecord(
        stamp, kept.address(), kept.lease(), Duration.ofNanos(left), kept.released());
  }

  private String life() {
    return "life-" + incarnation;
  }

  private String nextVersion() {
    versions++;
    return "v" + versions;
  }

  private static long unixSecond(long now) {
    return EPOCH_BASE + now / SECOND;
  }

  /** An operator's DEL, or an eviction: the entry is gone, the record stays. */
  void loseEntry() {
    if (row != null) {
      row = new Row(row.record(), row.grantedIn(), row.renewedAt(), row.entryUntil(), false);
    }
  }

  /** FLUSHALL, a deleted row or Lease: nothing is left, and no restart gives it away. */
  void loseEverything() {
    row = null;
    if (!counts) {
      incarnation++; // A new row or Lease is told from the old one by its uid.
    }
  }

  void copy() {
    oldCopy = row;
  }

  void restart(Restart how, long time) {
    incarnation++;
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
        ? life() + " empty"
        : life() + " " + row.record() + (row.hasEntry() ? "" : " no entry");
  }
}
