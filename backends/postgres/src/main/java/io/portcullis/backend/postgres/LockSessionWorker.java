package io.portcullis.backend.postgres;

import io.portcullis.backend.postgres.jdbc.UnusableServerException;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.Granted;
import io.portcullis.election.store.LeaseResponse.HeldByOther;
import io.portcullis.election.store.LeaseResponse.Unknown;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out what needs the dedicated session: claims, heartbeats, releases. All of it on one
 * thread, but for {@link #abort}.
 *
 * <p>The lock is held while the row names this node, and while a claim is being tried; whatever
 * else a claim ends with, the lock is given back. A heartbeat that fails does not give it back:
 * where the row was taken away, the lock is all that tells others of a gate that may still be open.
 * That is left to the first request that only a node with a shut gate makes, see {@link
 * #releaseLock}.
 */
final class LockSessionWorker {
  private static final Logger LOG = LoggerFactory.getLogger(LockSessionWorker.class);

  private final PostgresStorePlan plan;
  private final SessionFactory sessions;
  private final PostgresErrorMessages errors;
  private final PostgresServerWarnings warnings;
  private final AcquireOperation acquireOperation;
  private volatile @Nullable LockSession session;
  private volatile boolean closed;
  private UnusableServerException.@Nullable PooledConnectionException pooled;

  LockSessionWorker(
      PostgresStorePlan plan,
      SessionFactory opening,
      PostgresErrorMessages trouble,
      PostgresServerWarnings notices) {
    this.plan = plan;
    this.sessions = opening;
    this.errors = trouble;
    this.warnings = notices;
    this.acquireOperation = new AcquireOperation(trouble, notices);
  }

  /** Answers, unless {@code deadlineNanos} has passed before anything was sent. */
  LeaseResponse serve(LeaseRequest request, long deadlineNanos) {
    boolean sound = false;
    try {
      LeaseResponse answer = execute(request, deadlineNanos);
      sound = true;
      return answer;
    } catch (SQLException e) {
      // After a failed claim or release nobody knows who has the lock; a failed beat costs nothing.
      sound = request instanceof LeaseRequest.Renew && PostgresErrorMessages.leavesSessionSound(e);
      return new Unknown(errors.message(e));
    } catch (UnusableServerException e) {
      return refused(e);
    } catch (IllegalArgumentException e) {
      return new Unknown(errors.message(e));
    } finally {
      if (!sound) {
        close();
      }
    }
  }

  private LeaseResponse execute(LeaseRequest request, long deadlineNanos)
      throws SQLException, UnusableServerException {
    if (isPast(deadlineNanos)) {
      return tooLate();
    }
    LockSession open = open();
    if (isPast(deadlineNanos)) {
      return tooLate();
    }
    if (request instanceof LeaseRequest.Acquire acquire) {
      return acquireOperation.acquire(open, acquire.claim(), deadlineNanos);
    }
    try {
      if (request instanceof LeaseRequest.Renew renewal) {
        return renew(open, renewal);
      }
      return request instanceof LeaseRequest.Release release
          ? release(open, release)
          : heldByOther(open.read());
    } catch (SQLException e) {
      if (!LeaseRowReader.isMissingTable(e)) {
        throw e;
      }
      return heldByOther(LeaseRow.none(open.incarnation())); // With its table the row is gone.
    }
  }

  /** In the words of whoever gave up waiting, so that the log says it once. */
  private Unknown tooLate() {
    return new Unknown("no answer within " + plan.timing().askTimeout().toMillis() + " ms");
  }

  static boolean isPast(long deadlineNanos) {
    return deadlineNanos - System.nanoTime() <= 0;
  }

  /**
   * Opens the session ahead of need. A standby is not asked for much while another leads: what
   * would keep it from taking over must be known before.
   */
  void openEarly() {
    LockSession known = session;
    if (closed || (known != null && known.isOpen())) {
      return;
    }
    boolean opened = false;
    try {
      open();
      opened = true;
      warnings.onReady();
    } catch (SQLException e) {
      warnings.onNotReady(errors.message(e));
    } catch (UnusableServerException e) {
      warnings.onNotReady(refused(e).why());
    } finally {
      if (!opened) {
        close();
      }
    }
  }

  /** True if there is no session, as far as can be told without asking. */
  boolean isShut() {
    return session == null;
  }

  private LockSession open() throws SQLException, UnusableServerException {
    LockSession known = session;
    if (known != null && known.isOpen()) {
      return known;
    }
    if (closed) {
      throw new UnusableServerException("the store is closed");
    }
    if (pooled != null) {
      throw pooled; // Seen once is enough: to look again might be to miss it.
    }
    LockSession opened = sessions.open();
    session = opened;
    return opened;
  }

  private Unknown refused(UnusableServerException why) {
    pooled = why instanceof UnusableServerException.PooledConnectionException seen ? seen : pooled;
    return new Unknown(errors.at(String.valueOf(why.getMessage())));
  }

  /** For a node whose gate is shut, and which the row does not name. */
  void releaseLock() {
    LockSession known = session;
    if (known == null || !known.isLocked()) {
      return;
    }
    boolean sound = false;
    try {
      known.unlock();
      sound = true;
    } catch (SQLException | UnusableServerException e) {
      LOG.debug("the lock goes with its session", e);
    } finally {
      if (!sound) {
        close();
      }
    }
  }

  /** Whether the session, if there is one, holds the lock. */
  boolean mayHoldLock() {
    LockSession known = session;
    return known != null && known.isLocked();
  }

  private LeaseResponse renew(LockSession open, LeaseRequest.Renew renewal)
      throws SQLException, UnusableServerException {
    if (open.renew(renewal)) {
      open.tryLock(); // Taken over without it, or lost it by an operator's hand.
      return new Granted(renewal.epoch(), open.incarnation());
    }
    return heldByOther(open.read());
  }

  private LeaseResponse release(LockSession open, LeaseRequest.Release release)
      throws SQLException, UnusableServerException {
    if (open.incarnation().equals(release.incarnation())) {
      open.release(release);
    }
    LeaseRow row = open.read();
    LeaseRow.Content content = row.content();
    if (content == null || content.released() || !content.holder().equals(release.node())) {
      open.unlock();
    }
    return heldByOther(row);
  }

  private LeaseResponse heldByOther(LeaseRow row) {
    return new HeldByOther(row.toRecord(plan.timing().longestLease()));
  }

  /** Opens no further session. */
  void end() {
    closed = true;
    close();
  }

  private void close() {
    LockSession known = session;
    session = null;
    if (known != null) {
      known.close();
    }
  }

  /** Ends the session from another thread, even if a statement on it never returns. */
  void abort() {
    closed = true;
    LockSession known = session;
    if (known != null) {
      known.abort();
    }
  }
}
