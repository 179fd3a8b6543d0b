package io.portcullis.election.store;

import java.util.Objects;

/**
 * What tells one write of a lease record from every other: two records with equal stamps are the
 * same write, so a stamp that has not changed proves that nobody renewed in between.
 *
 * @param incarnation the life of the store that showed the record (Redis' run id, the uid of a
 *     Kubernetes Lease); a new one means that the store may have forgotten
 * @param holder the identity of the node that holds or held the lease, empty if nobody ever did
 * @param epoch the fencing epoch of that tenure
 * @param version changes with every renewal; compared for equality only
 */
public record RecordVersion(String incarnation, String holder, long epoch, String version) {

  /** Refuses missing parts and epochs outside {@link EpochRange}. */
  public RecordVersion {
    Objects.requireNonNull(incarnation, "incarnation");
    Objects.requireNonNull(holder, "holder");
    Objects.requireNonNull(version, "version");
    EpochRange.check(epoch);
  }
}
