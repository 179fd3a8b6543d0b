package io.portcullis.backend.postgres;

import io.portcullis.backend.postgres.line.Refused;
import io.portcullis.election.store.Answer;
import io.portcullis.election.store.Answer.Granted;
import io.portcullis.election.store.Answer.HeldByOther;
import io.portcullis.election.store.Answer.Unknown;
import io.portcullis.election.store.Claim;
import io.portcullis.election.store.LeaseRecord;
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
final class Claiming {
  /** After a dead holder's session was ended, the lock is free within a moment, or not at all. */
  private static final Duration ENDING = Duration.ofMillis(500);

  private static final long LOOK_NANOS = 10_000_000;

  private final Trouble trouble;
  private final Notices notices;
  private final LockWait lockWait = new LockWait();

  Claiming(Trouble trouble, Notices notices) {
    this.trouble = trouble;
    this.notices = notices;
  }

  /** Grants, shows the record that stands against it, or can't tell. */
  Answer acquire(Session open, Claim claim, long deadlineNanos) throws SQLException, Refused {
    boolean locked = open.tryLock();
    open.ensureUnpooled();
    // A statement of its own: one that took the lock and read would read what was before the lock.
    Row row = readOrCreate(open, claim);
    Row.Content content = row.content();
    LeaseRecord shown = row.toRecord(claim.longestLease());
    if (content == null || !claim.mayTake(shown)) {
      return refuse(open, claim, shown);
    }
    notices.onRow(content);
    if (!locked) {
      Answer wait = waitForLock(open, claim, content, shown, deadlineNanos);
      if (wait != null) {
        return wait;
      }
    }
    if (Keeper.isPast(deadlineNanos)) {
      return refuse(open, claim, shown);
    }
    long epoch = claim.nextEpoch(shown, row.isUnbroken(), row.unixSecond());
    if (!open.take(claim, row, content, epoch)) {
      return refuse(open, claim, open.read().toRecord(claim.longestLease()));
    }
    if (!open.isLocked()) {
      notices.onTakenWithoutLock(epoch);
    }
    return new Granted(epoch, row.life());
  }

  private Answer refuse(Session open, Claim claim, LeaseRecord shown) throws SQLException, Refused {
    if (!shown.isHeld() || !shown.holder().equals(claim.node())) {
      open.unlock();
    }
    return new HeldByOther(shown);
  }

  /** Whatever is missing is put there, ownerless, to be waited out like any other record. */
  private Row readOrCreate(Session open, Claim claim) throws SQLException, Refused {
    long firstBeat = ThreadLocalRandom.current().nextLong(1L << 62);
    Row row;
    try {
      row = open.read();
    } catch (SQLException e) {
      if (!RowReader.isMissingTable(e)) {
        throw e;
      }
      // Only a table that did not exist before is no sign of an earlier tenure.
      Duration wait = claim.trustsEmptyStore() ? Duration.ZERO : claim.longestLease();
      if (!open.createTable(claim, wait, firstBeat)) {
        return Row.none(open.life());
      }
      notices.onCreated();
      return open.read();
    }
    if (!row.isNone()) {
      return row;
    }
    open.ensureMayInsert();
    open.insertGround(claim, row, claim.longestLease(), firstBeat);
    return open.read();
  }

  /**
   * The claim is right by the row, but another session holds the lock. Null if it is to go on: with
   * the lock after all, or without it where the session that keeps it is the one of the recorded
   * holder, whose right is over. Any other may lead by a row that we do not see, in a table that
   * was renamed or that another search path means.
   */
  private @Nullable Answer waitForLock(
      Session open, Claim claim, Row.Content content, LeaseRecord shown, long deadlineNanos)
      throws SQLException, Refused {
    if (!lockWait.isOver(shown, claim.longestLease(), System.nanoTime())) {
      return new HeldByOther(shown);
    }
    if (shown.isHeld() && endHolder(open, content)) {
      long patience = System.nanoTime() + ENDING.toNanos();
      while (!open.tryLock() && !Keeper.isPast(patience) && !Keeper.isPast(deadlineNanos)) {
        LockSupport.parkNanos(LOOK_NANOS);
      }
    }
    if (open.tryLock()) {
      return null;
    }
    Session.LockKeeper keeper = open.lockKeeper();
    if (keeper == null) {
      return new HeldByOther(shown); // Just gone: the next claim gets it.
    }
    if (keeper.isRecorded() && keeper.isHidden()) {
      notices.onMayNotEnd("backend " + keeper.pid() + " belongs to another role");
    }
    return keeper.isRecorded() ? null : new Unknown(trouble.lockKept(keeper.pid()));
  }

  private boolean endHolder(Session open, Row.Content content) throws SQLException {
    try {
      Integer ended = open.endHolder(content);
      if (ended != null) {
        notices.onEnded(ended, content);
      }
      return ended != null;
    } catch (SQLException e) {
      if (!Grants.areMissing(e)) {
        throw e;
      }
      notices.onMayNotEnd(String.valueOf(e.getMessage()));
      return false;
    }
  }
}
