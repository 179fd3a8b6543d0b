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
 * Executes the requests that need the dedicated session: claims, heartbeats, releases. Used on one
 * thread, except for {@link #abort}.
 *
 * <p>The lock is held while the row names this node and during a claim; a claim that is not granted
 * releases it. A failed heartbeat does not release it: if the row was deleted, the lock is the only
 * sign for other nodes that a gate may still be open. It is released at the first request that only
 * a node with a shut gate sends, see {@link #releaseLock}.
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
      SessionFactory sessions,
      PostgresErrorMessages errors,
      PostgresServerWarnings warnings) {
    this.plan = plan;
    this.sessions = sessions;
    this.errors = errors;
    this.warnings = warnings;
    this.acquireOperation = new AcquireOperation(errors, warnings);
  }

  /** Executes a request, unless {@code deadlineNanos} has passed before anything was sent. */
  LeaseResponse serve(LeaseRequest request, long deadlineNanos) {
    boolean sound = false;
    try {
      LeaseResponse response = execute(request, deadlineNanos);
      sound = true;
      return response;
    } catch (SQLException e) {
      // After a failed claim or release the state of the lock is unknown; not so after a heartbeat.
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
      return heldByOther(LeaseRow.none(open.incarnation())); // The row is gone with its table.
    }
  }

  /** Uses the same message as the caller's timeout, so that it is logged only once. */
  private Unknown tooLate() {
    return new Unknown("no response within " + plan.timing().askTimeout().toMillis() + " ms");
  }

  static boolean isPast(long deadlineNanos) {
    return deadlineNanos - System.nanoTime() <= 0;
  }

  /**
   * Opens the session in advance. A standby sends few requests while another node leads, but
   * problems that would prevent a takeover must be detected early.
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

  /** Whether there is no session; does not check the connection. */
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
      throw pooled; // Remembered, because a repeated check might miss the pooler.
    }
    LockSession opened = sessions.open();
    session = opened;
    return opened;
  }

  private Unknown refused(UnusableServerException why) {
    pooled = why instanceof UnusableServerException.PooledConnectionException seen ? seen : pooled;
    return new Unknown(errors.at(String.valueOf(why.getMessage())));
  }

  /** Releases the lock. Only for a node whose gate is shut and that the row does not name. */
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
      LOG.debug("unlock failed; the session is closed, which frees the lock", e);
    } finally {
      if (!sound) {
        close();
      }
    }
  }

  /** Whether there is a session and it holds the lock. */
  boolean mayHoldLock() {
    LockSession known = session;
    return known != null && known.isLocked();
  }

  private LeaseResponse renew(LockSession open, LeaseRequest.Renew renewal)
      throws SQLException, UnusableServerException {
    if (open.renew(renewal)) {
      open.tryLock(); // After a takeover without the lock, or if an operator released it.
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

  /** Closes the session and prevents opening another. */
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

  /** Aborts the session from another thread, even if a statement never returns. */
  void abort() {
    closed = true;
    LockSession known = session;
    if (known != null) {
      known.abort();
    }
  }
}
