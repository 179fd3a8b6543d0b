package io.portcullis.election.store;

import java.util.Objects;

/**
 * Identifies one write of a lease record. Two records with equal versions are the same write, so an
 * unchanged version proves that there was no renewal in between.
 *
 * @param incarnation the incarnation of the store that showed the record (Redis' run id, the uid of
 *     a Kubernetes Lease); a new one means that the store may have forgotten records
 * @param holder the identity of the node that holds or held the lease, empty if it was never held
 * @param epoch the fencing epoch of that tenure
 * @param version changes with every renewal; compared for equality only
 */
public record RecordVersion(String incarnation, String holder, long epoch, String version) {

  /** Rejects missing components and epochs outside {@link EpochRange}. */
  public RecordVersion {
    Objects.requireNonNull(incarnation, "incarnation");
    Objects.requireNonNull(holder, "holder");
    Objects.requireNonNull(version, "version");
    EpochRange.check(epoch);
  }
}
