package io.portcullis.election.store;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A request to a store. Each is one atomic step there. */
public sealed interface LeaseRequest {

  /** Reads the record and changes nothing. The response is {@link LeaseResponse.HeldByOther}. */
  record Look() implements LeaseRequest {}

  /** Requests the lease; granted if {@link Claim#mayTake} allows it. */
  record Acquire(Claim claim) implements LeaseRequest {}

  /**
   * Requests an extension of the lease. Granted only if the record names this node <em>and</em>
   * this epoch, unreleased; a record that is gone or was replaced is never recreated.
   */
  record Renew(String node, long epoch, Duration lease, @Nullable String address)
      implements LeaseRequest {}

  /**
   * Releases the lease; this node has shut its gate under this epoch. Marks the record released if
   * it names this node and this epoch, and the store still has the incarnation in which this node
   * last saw it. Otherwise it changes nothing: in another incarnation a node may lead that the
   * store does not know of. The response is {@link LeaseResponse.HeldByOther} with the record after
   * this step.
   *
   * @param successor the preferred next leader by this store's own name for it, null for none; a
   *     hint that gives no node a right
   */
  record Release(String node, long epoch, @Nullable String incarnation, @Nullable String successor)
      implements LeaseRequest {

    /** Releases the lease without a preferred successor. */
    public Release(String node, long epoch, @Nullable String incarnation) {
      this(node, epoch, incarnation, null);
    }
  }
}
