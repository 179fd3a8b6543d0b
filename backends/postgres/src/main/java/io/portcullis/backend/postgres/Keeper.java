package io.portcullis.backend.postgres;

import io.portcullis.backend.postgres.line.Refused;
import io.portcullis.election.store.Answer;
import io.portcullis.election.store.Answer.Granted;
import io.portcullis.election.store.Answer.HeldByOther;
import io.portcullis.election.store.Answer.Unknown;
import io.portcullis.election.store.Request;
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
 * #giveBackLock}.
 */
final class Keeper {
  private static final Logger LOG = LoggerFactory.getLogger(Keeper.class);

  private final PostgresPlan plan;
  private final SessionOpening opening;
  private final Trouble trouble;
  private final Notices notices;
  private final Claiming claiming;
  private volatile @Nullable Session session;
  private volatile boolean closed;
  private Refused.@Nullable Pooled pooled;

  Keeper(PostgresPlan plan, SessionOpening opening, Trouble trouble, Notices notices) {
    this.plan = plan;
    this.opening = opening;
    this.trouble = trouble;
    this.notices = notices;
    this.claiming = new Claiming(trouble, notices);
  }

  /** Answers, unless {@code deadlineNanos} has passed before anything was sent. */
  Answer serve(Request request, long deadlineNanos) {
    boolean sound = false;
    try {
      Answer answer = carryOut(request, deadlineNanos);
      sound = true;
      return answer;
    } catch (SQLException e) {
      // After a failed claim or release nobody knows who has the lock; a failed beat costs nothing.
      sound = request instanceof Request.Renew && Trouble.leavesSessionSound(e);
      return new Unknown(trouble.sentence(e));
    } catch (Refused e) {
      return refused(e);
    } catch (IllegalArgumentException e) {
      return new Unknown(trouble.sentence(e));
    } finally {
      if (!sound) {
        close();
      }
    }
  }

  private Answer carryOut(Request request, long deadlineNanos) throws SQLException, Refused {
    if (isPast(deadlineNanos)) {
      return tooLate();
    }
    Session open = open();
    if (isPast(deadlineNanos)) {
      return tooLate();
    }
    if (request instanceof Request.Acquire acquire) {
      return claiming.acquire(open, acquire.claim(), deadlineNanos);
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
      return shown(Row.none(open.life())); // With its table the row is gone.
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
    Session known = session;
    if (closed || (known != null && known.isOpen())) {
      return;
    }
    boolean opened = false;
    try {
      open();
      opened = true;
      notices.onReady();
    } catch (SQLException e) {
      notices.onNotReady(trouble.sentence(e));
    } catch (Refused e) {
      notices.onNotReady(refused(e).why());
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

  private Session open() throws SQLException, Refused {
    Session known = session;
    if (known != null && known.isOpen()) {
      return known;
    }
    if (closed) {
      throw new Refused("the store is closed");
    }
    if (pooled != null) {
      throw pooled; // Seen once is enough: to look again might be to miss it.
    }
    Session opened = opening.open();
    session = opened;
    return opened;
  }

  private Unknown refused(Refused why) {
    pooled = why instanceof Refused.Pooled seen ? seen : pooled;
    return new Unknown(trouble.at(String.valueOf(why.getMessage())));
  }

  /** For a node whose gate is shut, and which the row does not name. */
  void giveBackLock() {
    Session known = session;
    if (known == null || !known.isLocked()) {
      return;
    }
    boolean sound = false;
    try {
      known.unlock();
      sound = true;
    } catch (SQLException | Refused e) {
      LOG.debug("the lock goes with its session", e);
    } finally {
      if (!sound) {
        close();
      }
    }
  }

  /** Whether the session, if there is one, holds the lock. */
  boolean mayHoldLock() {
    Session known = session;
    return known != null && known.isLocked();
  }

  private Answer renew(Session open, Request.Renew renewal) throws SQLException, Refused {
    if (open.beat(renewal)) {
      open.tryLock(); // Taken over without it, or lost it by an operator's hand.
      return new Granted(renewal.epoch(), open.life());
    }
    return shown(open.read());
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

  /** Opens no further session. */
  void end() {
    closed = true;
    close();
  }

  private void close() {
    Session known = session;
    session = null;
    if (known != null) {
      known.close();
    }
  }

  /** Ends the session from another thread, even if a statement on it never returns. */
  void abort() {
    closed = true;
    Session known = session;
    if (known != null) {
      known.abort();
    }
  }
}
