package io.portcullis.backend.kubernetes;

import io.portcullis.election.store.LeaseRecord;
import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The newest Lease this node knows of, from replies and from the watch. What is shown from here may
 * be old; nothing is granted by it, since every write compares the resource version.
 *
 * <p>The watch may lag behind replies, so an event counts only if its resource version is higher.
 * Where versions are no numbers, an event only says that it is time to look.
 */
final class LeaseCache {
  /** So many writes that the watch said nothing of, and it is taken for dead. */
  private static final int MAX_UNREPORTED = 3;

  /**
   * What was seen.
   *
   * @param lease null if there was none
   */
  record CachedLease(@Nullable LeaseDocument lease, long arrivedNanos) {}

  /** Who hears what the watch brings, in its order and before any later reply is used. */
  interface ChangeListener {
    /** Another version than was known. */
    void changed(LeaseDocument lease);

    /** The Lease is gone. */
    void deleted();

    /** Something happened; nobody can say what. */
    void unclear();
  }

  private final ChangeListener listener;
  private @Nullable CachedLease latest;

  /** Also after it was deleted. */
  private @Nullable LeaseDocument last;

  private @Nullable String writing;
  private int missedWrites;

  LeaseCache(ChangeListener news) {
    this.listener = news;
  }

  /** The newest sight, null if there is none or it is of no use any more. */
  synchronized @Nullable CachedLease latest() {
    return latest;
  }

  /** This write is about to leave: the event about it is no news. */
  synchronized void writing(String version) {
    writing = version;
  }

  /** The server replied to a request that left at {@code askedNanos}. */
  synchronized void onReply(@Nullable LeaseDocument lease, long askedNanos, long nowNanos) {
    CachedLease before = latest;
    boolean overtaken =
        before != null
            && before.arrivedNanos() - askedNanos > 0
            && (lease == null || before.lease() == null || isOlder(lease, before.lease()));
    if (overtaken) {
      return;
    }
    missedWrites += lease != null && last != null && !sameVersion(lease, last) ? 1 : 0;
    remember(lease, nowNanos);
  }

  /** True once too much has happened of which the watch said nothing. */
  synchronized boolean watchSeemsDead() {
    return missedWrites > MAX_UNREPORTED;
  }

  /** A new watch begins. */
  synchronized void watchOpened() {
    missedWrites = 0;
  }

  /** The watch tells of a version. */
  synchronized void onWatchEvent(LeaseDocument lease, long nowNanos) {
    missedWrites = 0;
    LeaseDocument known = last;
    if (known != null && (number(known).isEmpty() || number(lease).isEmpty())) {
      latest = null;
      listener.unclear();
      return;
    }
    if (known != null && !isOlder(known, lease)) {
      return;
    }
    boolean wasThere = latest != null && latest.lease() != null;
    remember(lease, nowNanos);
    boolean same = known != null && wasThere && shown(lease).equals(shown(known));
    if (!same && !lease.version().equals(writing)) {
      listener.changed(lease);
    }
  }

  /** The watch tells of a deletion. */
  synchronized void onWatchDeletion(LeaseDocument lease, long nowNanos) {
    missedWrites = 0;
    LeaseDocument known = last;
    if (known != null && !known.uid().equals(lease.uid())) {
      return; // An earlier one.
    }
    boolean wasGone = latest != null && latest.lease() == null;
    remember(null, nowNanos);
    if (!wasGone) {
      listener.deleted();
    }
  }

  private void remember(@Nullable LeaseDocument lease, long nowNanos) {
    latest = new CachedLease(lease, nowNanos);
    last = lease == null ? last : lease;
  }

  private static LeaseRecord shown(LeaseDocument lease) {
    return lease.record(Duration.ZERO);
  }

  private static boolean sameVersion(LeaseDocument one, LeaseDocument other) {
    return one.resourceVersion().equals(other.resourceVersion());
  }

  private static boolean isOlder(LeaseDocument one, LeaseDocument other) {
    OptionalLong first = number(one);
    OptionalLong second = number(other);
    return first.isPresent() && second.isPresent() && first.getAsLong() < second.getAsLong();
  }

  private static OptionalLong number(LeaseDocument lease) {
    try {
      return OptionalLong.of(Long.parseLong(lease.resourceVersion()));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }
}
