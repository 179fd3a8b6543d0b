package io.portcullis.backend.kubernetes;

import io.portcullis.election.store.LeaseRecord;
import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Cache of the newest known version of the Lease, from responses and from the watch. The cached
 * version may be outdated; it never leads to a wrong grant, since every write compares the resource
 * version.
 *
 * <p>The watch may lag behind responses, so an event is used only if its resource version is
 * higher. If versions are not numeric, an event only triggers a read.
 */
final class LeaseCache {
  /** Maximum number of writes without a watch event before the watch is considered dead. */
  private static final int MAX_UNREPORTED = 3;

  /**
   * A version of the Lease and its arrival time.
   *
   * @param lease null if the Lease did not exist
   */
  record CachedLease(@Nullable LeaseDocument lease, long arrivedNanos) {}

  /** Receives changes from the watch, in order and before a later response is used. */
  interface ChangeListener {
    /** Called for a new version of the Lease. */
    void changed(LeaseDocument lease);

    /** Called when the Lease was deleted. */
    void deleted();

    /** Called after an event that can't be ordered, so the Lease must be read. */
    void unclear();
  }

  private final ChangeListener listener;
  private @Nullable CachedLease latest;

  /** The last existing version; kept after a deletion. */
  private @Nullable LeaseDocument last;

  private @Nullable String writing;
  private int missedWrites;

  LeaseCache(ChangeListener listener) {
    this.listener = listener;
  }

  /** The newest version, null if there is none or it can't be used any longer. */
  synchronized @Nullable CachedLease latest() {
    return latest;
  }

  /** Records a write that is about to be sent; its event is not passed to the listener. */
  synchronized void writing(String version) {
    writing = version;
  }

  /** Stores the response to a request that was sent at {@code sentNanos}. */
  synchronized void onReply(@Nullable LeaseDocument lease, long sentNanos, long nowNanos) {
    CachedLease before = latest;
    boolean overtaken =
        before != null
            && before.arrivedNanos() - sentNanos > 0
            && (lease == null || before.lease() == null || isOlder(lease, before.lease()));
    if (overtaken) {
      return;
    }
    missedWrites += lease != null && last != null && !sameVersion(lease, last) ? 1 : 0;
    remember(lease, nowNanos);
  }

  /** Whether too many writes happened without a watch event. */
  synchronized boolean watchSeemsDead() {
    return missedWrites > MAX_UNREPORTED;
  }

  /** Called when a new watch is open. */
  synchronized void watchOpened() {
    missedWrites = 0;
  }

  /** Stores a version from the watch. */
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

  /** Stores a deletion from the watch. */
  synchronized void onWatchDeletion(LeaseDocument lease, long nowNanos) {
    missedWrites = 0;
    LeaseDocument known = last;
    if (known != null && !known.uid().equals(lease.uid())) {
      return; // Deletion of an earlier Lease.
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
