package io.portcullis.backend.postgres;

import io.portcullis.backend.postgres.jdbc.UnusableServerException;
import io.portcullis.election.store.Claim;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.Granted;
import io.portcullis.election.store.LeaseResponse.HeldByOther;
import io.portcullis.election.store.LeaseResponse.Unknown;
import io.portcullis.election.store.RecordVersion;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Carries out a claim on the dedicated session: first the lock, then, as statements of their own, a
 * look at the row and the compare-and-set on what was seen. Whatever a claim ends with but a grant,
 * the lock is given back.
 */
final class AcquireOperation {
  /** After a dead holder's session was ended, the lock is free within a moment, or not at all. */
  private static final Duration TERMINATION_TIMEOUT = Duration.ofMillis(500);

  private static final long LOCK_POLL_NANOS = 10_000_000;

  private final PostgresErrorMessages errors;
  private final PostgresServerWarnings warnings;
  private final LockWait lockWait = new LockWait();

  AcquireOperation(PostgresErrorMessages trouble, PostgresServerWarnings notices) {
    this.errors = trouble;
    this.warnings = notices;
  }

  /** Grants, shows the record that stands against it, or can't tell. */
  LeaseResponse acquire(LockSession open, Claim claim, long deadlineNanos)
      throws SQLException, UnusableServerException {
    boolean locked = open.tryLock();
    open.ensureUnpooled();
    // A statement of its own: one that took the lock and read would read what was before the lock.
    LeaseRow row = readOrCreate(open, claim);
    LeaseRow.Content content = row.content();
    LeaseRecord shown = row.toRecord(claim.longestLease());
    if (content == null || !claim.mayTake(shown)) {
      return refuse(open, claim, shown);
    }
    warnings.onRow(content);
    if (!locked) {
      LeaseResponse wait = waitForLock(open, claim, content, shown, deadlineNanos);
      if (wait != null) {
        return wait;
      }
    }
    if (LockSessionWorker.isPast(deadlineNanos)) {
      return refuse(open, claim, shown);
    }
    long epoch = claim.nextEpoch(shown, row.isUnbroken(), row.unixSecond());
    if (!open.take(claim, row, content, epoch)) {
      return refuse(open, claim, open.read().toRecord(claim.longestLease()));
    }
    if (!open.isLocked()) {
      warnings.onTakenWithoutLock(epoch);
    }
    return new Granted(epoch, row.incarnation());
  }

  private LeaseResponse refuse(LockSession open, Claim claim, LeaseRecord shown)
      throws SQLException, UnusableServerException {
    if (!shown.isHeld() || !shown.holder().equals(claim.node())) {
      open.unlock();
    }
    return new HeldByOther(shown);
  }

  /** Whatever is missing is put there, ownerless, to be waited out like any other record. */
  private LeaseRow readOrCreate(LockSession open, Claim claim)
      throws SQLException, UnusableServerException {
    long firstBeat = ThreadLocalRandom.current().nextLong(1L << 62);
    LeaseRow row;
    try {
      row = open.read();
    } catch (SQLException e) {
      if (!LeaseRowReader.isMissingTable(e)) {
        throw e;
      }
      // Only a table that did not exist before is no sign of an earlier tenure.
      Duration wait = claim.trustsEmptyStore() ? Duration.ZERO : claim.longestLease();
      if (!open.createTable(claim, wait, firstBeat)) {
        return LeaseRow.none(open.incarnation());
      }
      warnings.onCreated();
      return open.read();
    }
    if (!row.isNone()) {
      return row;
    }
    open.ensureMayInsert();
    open.insertInitialRow(claim, row, claim.longestLease(), firstBeat);
    return open.read();
  }

  /**
   * The claim is right by the row, but another session holds the lock. Null if it is to go on: with
   * the lock after all, or without it where the session that keeps it is the one of the recorded
   * holder, whose right is over. Any other may lead by a row that we do not see, in a table that
   * was renamed or that another search path means.
   */
  private @Nullable LeaseResponse waitForLock(
      LockSession open,
      Claim claim,
      LeaseRow.Content content,
      LeaseRecord shown,
      long deadlineNanos)
      throws SQLException, UnusableServerException {
    if (!lockWait.isOver(shown, claim.longestLease(), System.nanoTime())) {
      return new HeldByOther(shown);
    }
    if (shown.isHeld() && terminateHolder(open, content)) {
      long patience = System.nanoTime() + TERMINATION_TIMEOUT.toNanos();
      while (!open.tryLock()
          && !LockSessionWorker.isPast(patience)
          && !LockSessionWorker.isPast(deadlineNanos)) {
        LockSupport.parkNanos(LOCK_POLL_NANOS);
      }
    }
    if (open.tryLock()) {
      return null;
    }
    LockSession.LockHolder keeper = open.lockHolder();
    if (keeper == null) {
      return new HeldByOther(shown); // Just gone: the next claim gets it.
    }
    if (keeper.isRecorded() && keeper.isHidden()) {
      warnings.onTerminateDenied("backend " + keeper.pid() + " belongs to another role");
    }
    return keeper.isRecorded() ? null : new Unknown(errors.lockHeldBy(keeper.pid()));
  }

  private boolean terminateHolder(LockSession open, LeaseRow.Content content) throws SQLException {
    try {
      Integer ended = open.terminateHolder(content);
      if (ended != null) {
        warnings.onTerminated(ended, content);
      }
      return ended != null;
    } catch (SQLException e) {
      if (!PrivilegeCheck.isPermissionDenied(e)) {
        throw e;
      }
      warnings.onTerminateDenied(String.valueOf(e.getMessage()));
      return false;
    }
  }

  /**
   * How long a claim that is right by the row has been kept waiting by the lock.
   *
   * <p>A holder whose lease is waited out but whose session lives gets a little longer: a stall
   * that is over soon costs no change of leader. Where the row names nobody who could have the
   * lock, a moment is no news: another candidate may be at it. What lasts longer than a lease could
   * is.
   */
  static final class LockWait {
    private static final Duration MAX_GRACE = Duration.ofSeconds(3);

    private @Nullable RecordVersion recordVersion;
    private long sinceNanos;

    /**
     * Notes that the lock was refused to a claim on {@code shown}; true once that lasted enough.
     */
    boolean isOver(LeaseRecord shown, Duration longestLease, long nowNanos) {
      if (!shown.recordVersion().equals(recordVersion)) {
        recordVersion = shown.recordVersion();
        sinceNanos = nowNanos;
      }
      Duration wait = shown.isHeld() ? grace(shown.lease()) : longestLease;
      return nowNanos - sinceNanos >= wait.toNanos();
    }

    private static Duration grace(Duration lease) {
      Duration half = lease.dividedBy(2);
      return half.compareTo(MAX_GRACE) < 0 ? half : MAX_GRACE;
    }
  }
}
