package io.portcullis.election.store;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a node asks of a store. Each is one atomic step there. */
public sealed interface LeaseRequest {

  /** Show the record; change nothing. Answered by {@link LeaseResponse.HeldByOther}. */
  record Look() implements LeaseRequest {}

  /** Give me the lease if {@link Claim#mayTake} allows it. */
  record Acquire(Claim claim) implements LeaseRequest {}

  /**
   * Extend my lease. Granted only if the record names this node <em>and</em> this epoch,
   * unreleased; a record that is gone or was replaced is never written anew.
   */
  record Renew(String node, long epoch, Duration lease, @Nullable String address)
      implements LeaseRequest {}

  /**
   * I have shut my gate under this epoch. Marks the record released if it names this node and this
   * epoch, and the store is still in the life in which this node last saw it; else changes nothing:
   * in another life somebody may lead of whom the store knows nothing. Answered by {@link
   * LeaseResponse.HeldByOther}, showing the record after it.
   *
   * @param successor who should lead next by this store's own name for it, null for whoever comes
   *     first; a wish, which gives nobody a right
   */
  record Release(String node, long epoch, @Nullable String incarnation, @Nullable String successor)
      implements LeaseRequest {

    /** To whoever comes first. */
    public Release(String node, long epoch, @Nullable String incarnation) {
      this(node, epoch, incarnation, null);
    }
  }
}
