package io.portcullis.backend.postgres;

import io.portcullis.election.store.Answer;
import io.portcullis.election.store.Answer.Granted;
import io.portcullis.election.store.Answer.HeldByOther;
import io.portcullis.election.store.Answer.Unknown;
import io.portcullis.election.store.Claim;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.Request;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Carries out what needs the dedicated session: claims, heartbeats, releases. All of it on one
 * thread, but for {@link #abort}.
 *
 * <p>The lock is held while the row names this node, and while a claim is being tried; whatever
 * else a claim ends with, the lock is given back.
 */
final class Keeper {
  /** After a dead holder's session was ended, the lock is free within a moment, or not at all. */
  private static final Duration ENDING = Duration.ofMillis(500);

  private static final long LOOK_NANOS = 10_000_000;

  private final PostgresPlan plan;
  private final SessionOpening opening;
  private final Trouble trouble;
  private final Notices notices;
  private final LockWait lockWait = new LockWait();
  private volatile @Nullable Session session;

  Keeper(PostgresPlan plan, SessionOpening opening, Trouble trouble, Notices notices) {
    this.plan = plan;
    this.opening = opening;
    this.trouble = trouble;
    this.notices = notices;
  }

  /** Answers, unless {@code deadlineNanos} has passed before anything was sent. */
  Answer serve(Request request, long deadlineNanos) {
    boolean sound = false;
    try {
      Answer answer = carryOut(request, deadlineNanos);
      sound = true;
      return answer;
    } catch (SQLException e) {
      // After a failed claim nobody knows who has the lock; a heartbeat that failed costs nothing.
      sound = !(request instanceof Request.Acquire) && Trouble.leavesSessionSound(e);
      return new Unknown(trouble.sentence(e));
    } catch (Refused e) {
      return new Unknown(trouble.at(String.valueOf(e.getMessage())));
    } catch (IllegalArgumentException e) {
      return new Unknown(trouble.sentence(e));
    } finally {
      if (!sound) {
        close();
      }
    }
  }

  private Answer carryOut(Request request, long deadlineNanos) throws SQLException, Refused {
    Session open = open();
    if (isPast(deadlineNanos)) {
      return tooLate();
    }
    if (request instanceof Request.Acquire acquire) {
      return acquire(open, acquire.claim(), deadlineNanos);
    }
    try {
      if (request instanceof Request.Renew renewal) {
        return renew(open, renewal);
      }
      return request instanceof Request.Release release
          ? release(open, release)
          : shown(open.read());
    } catch (SQLException e) {
      if (!RowReader.isMissingTable(e)) {
        throw e;
      }
      open.unlock(); // With its table the row is gone.
      return shown(Row.none(open.life()));
    }
  }

  /** In the words of whoever gave up waiting, so that the log says it once. */
  private Unknown tooLate() {
    return new Unknown("no answer within " + plan.timing().askTimeout().toMillis() + " ms");
  }

  private static boolean isPast(long deadlineNanos) {
    return deadlineNanos - System.nanoTime() <= 0;
  }

  /** Opens the session ahead of need; what is wrong is told to whoever asks next. */
  void openEarly() {
    try {
      open();
    } catch (SQLException | Refused e) {
      close();
    }
  }

  private Session open() throws SQLException, Refused {
    Session known = session;
    if (known != null && known.isOpen()) {
      return known;
    }
    Session opened = opening.open();
    session = opened;
    return opened;
  }

  private Answer acquire(Session open, Claim claim, long deadlineNanos)
      throws SQLException, Refused {
    boolean locked = open.tryLock();
    if (locked) {
      open.ensureUnpooled();
    }
    // A statement of its own: one that took the lock and read would read what was before the lock.
    Row row = readOrCreate(open, claim);
    Row.Content content = row.content();
    LeaseRecord shown = row.toRecord(claim.longestLease());
    if (content == null || !claim.mayTake(shown)) {
      return refuse(open, claim, shown);
    }
    notices.onRow(content);
    if (!locked && !mayGoWithoutLock(open, claim, content, shown, deadlineNanos)) {
      return new HeldByOther(shown);
    }
    if (isPast(deadlineNanos)) {
      open.unlock();
      return tooLate();
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
      return open.createTable(claim, wait, firstBeat) ? open.read() : Row.none(open.life());
    }
    if (!row.isNone()) {
      return row;
    }
    open.ensureMayInsert();
    open.insertGround(claim, row, claim.longestLease(), firstBeat);
    return open.read();
  }

  /** The claim is right by the row, but another session holds the lock. */
  private boolean mayGoWithoutLock(
      Session open, Claim claim, Row.Content content, LeaseRecord shown, long deadlineNanos)
      throws SQLException, Refused {
    if (!lockWait.isOver(shown, claim.longestLease(), System.nanoTime())) {
      return false;
    }
    if (shown.isHeld() && endHolder(open, content)) {
      long patience = System.nanoTime() + ENDING.toNanos();
      while (!open.tryLock() && !isPast(patience) && !isPast(deadlineNanos)) {
        LockSupport.parkNanos(LOOK_NANOS);
      }
    }
    return true;
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
      notices.onMayNotEnd(e);
      return false;
    }
  }

  private Answer renew(Session open, Request.Renew renewal) throws SQLException, Refused {
    if (open.beat(renewal)) {
      open.tryLock(); // Taken over without it, or lost it by an operator's hand.
      return new Granted(renewal.epoch(), open.life());
    }
    Row row = open.read();
    Row.Content content = row.content();
    if (content == null || !content.holder().equals(renewal.node())) {
      open.unlock();
    }
    return shown(row);
  }

  private Answer release(Session open, Request.Release release) throws SQLException, Refused {
    if (open.life().equals(release.incarnation())) {
      open.release(release);
    }
    Row row = open.read();
    Row.Content content = row.content();
    if (content == null || content.released() || !content.holder().equals(release.node())) {
      open.unlock();
    }
    return shown(row);
  }

  private Answer shown(Row row) {
    return new HeldByOther(row.toRecord(plan.timing().longestLease()));
  }

  void close() {
    Session known = session;
    session = null;
    if (known != null) {
      known.close();
    }
  }

  /** Ends the session from another thread, even if a statement on it never returns. */
  void abort() {
    Session known = session;
    if (known != null) {
      known.abort();
    }
  }
}
