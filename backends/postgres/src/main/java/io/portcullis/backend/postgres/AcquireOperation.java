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
 * Executes a claim on the dedicated session: it takes the lock, then, in separate statements, reads
 * the row and does the compare-and-set on what it read. Unless the claim is granted, the lock is
 * released.
 */
final class AcquireOperation {
  /** Maximum wait for the lock after the session of a dead holder was terminated. */
  private static final Duration TERMINATION_TIMEOUT = Duration.ofMillis(500);

  private static final long LOCK_POLL_NANOS = 10_000_000;

  private final PostgresErrorMessages errors;
  private final PostgresServerWarnings warnings;
  private final LockWait lockWait = new LockWait();

  AcquireOperation(PostgresErrorMessages errors, PostgresServerWarnings warnings) {
    this.errors = errors;
    this.warnings = warnings;
  }

  /** Executes the claim: granted, refused with the current record, or unknown. */
  LeaseResponse acquire(LockSession open, Claim claim, long deadlineNanos)
      throws SQLException, UnusableServerException {
    boolean locked = open.tryLock();
    open.ensureUnpooled();
    // A separate statement: one that also takes the lock would read a snapshot from before it.
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

  /** Reads the row. Creates a missing table or row without a holder; claims wait for its lease. */
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
      // A new table proves that there was no earlier tenure; a new row in an old one does not.
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
   * Handles a claim that the row allows while another session holds the lock. Returns null if the
   * claim may continue: either this session got the lock, or the lock is held by the session of the
   * recorded holder, whose lease is over. Any other session may lead by a row that this node does
   * not see, in a table that was renamed or is found by another search path.
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
      long lockDeadline = System.nanoTime() + TERMINATION_TIMEOUT.toNanos();
      while (!open.tryLock()
          && !LockSessionWorker.isPast(lockDeadline)
          && !LockSessionWorker.isPast(deadlineNanos)) {
        LockSupport.parkNanos(LOCK_POLL_NANOS);
      }
    }
    if (open.tryLock()) {
      return null;
    }
    LockSession.LockHolder lockHolder = open.lockHolder();
    if (lockHolder == null) {
      return new HeldByOther(shown); // Just released: the next claim gets it.
    }
    if (lockHolder.isRecorded() && lockHolder.isHidden()) {
      warnings.onTerminateDenied("backend " + lockHolder.pid() + " belongs to another role");
    }
    return lockHolder.isRecorded() ? null : new Unknown(errors.lockHeldBy(lockHolder.pid()));
  }

  private boolean terminateHolder(LockSession open, LeaseRow.Content content) throws SQLException {
    try {
      Integer terminated = open.terminateHolder(content);
      if (terminated != null) {
        warnings.onTerminated(terminated, content);
      }
      return terminated != null;
    } catch (SQLException e) {
      if (!PrivilegeCheck.isPermissionDenied(e)) {
        throw e;
      }
      warnings.onTerminateDenied(String.valueOf(e.getMessage()));
      return false;
    }
  }

  /**
   * Measures how long the lock has blocked a claim that the row allows.
   *
   * <p>A holder whose lease is over but whose session still exists gets a grace period, so that a
   * short stall does not cause a change of leader. If the row names no holder that could have the
   * lock, another candidate may hold it briefly; only a wait longer than any lease is significant.
   */
  static final class LockWait {
    private static final Duration MAX_GRACE = Duration.ofSeconds(3);

    private @Nullable RecordVersion recordVersion;
    private long sinceNanos;

    /**
     * Records that the lock was refused to a claim on {@code shown}; returns whether the wait is
     * over.
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
