package io.portcullis.backend.postgres;

import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.RecordVersion;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Result of one read: the election's row, if it exists, and the incarnation of the database.
 *
 * @param incarnation the current incarnation of the database
 * @param unixSecond the time of the server's clock
 * @param content the row, null if there is none
 */
record LeaseRow(String incarnation, long unixSecond, @Nullable Content content) {

  /**
   * The columns of the row.
   *
   * @param scopeKey lock key of the last holder
   * @param epoch the fencing epoch
   * @param holder identity of the holder, empty if there never was one
   * @param address address of the holder
   * @param leaseMillis lease after a heartbeat
   * @param beats increases with every write
   * @param released whether the holder has released the lease
   * @param grantedIn incarnation of the database in which the epoch was granted
   * @param recent whether the row was written less than a minute ago by the server's clock
   */
  record Content(
      long scopeKey,
      long epoch,
      String holder,
      @Nullable String address,
      long leaseMillis,
      long beats,
      boolean released,
      String grantedIn,
      boolean recent) {}

  /** Returns the result for a database without the table. */
  static LeaseRow none(String incarnation) {
    return new LeaseRow(incarnation, 0, null);
  }

  /** Whether the row does not exist. */
  boolean isNone() {
    return content == null;
  }

  /** Whether the epoch was granted in the current incarnation of the database. */
  private boolean isOfThisIncarnation() {
    return content != null && content.grantedIn.equals(incarnation);
  }

  /**
   * Whether no later grant can have been lost. A row that was not written recently may have been
   * restored from a backup.
   */
  boolean isUnbroken() {
    return content != null && content.recent && isOfThisIncarnation();
  }

  /**
   * Returns the lease record for the election. For a record of another incarnation, claims wait for
   * the longest lease, even if it is released: a later tenure may have been lost.
   */
  LeaseRecord toRecord(Duration longestLease) {
    if (content == null) {
      return LeaseRecord.none(incarnation);
    }
    // A blank row written by an operator is not a grant, but claims must wait for its lease.
    long epoch = content.holder.isEmpty() ? Math.max(1, content.epoch) : content.epoch;
    RecordVersion stamp =
        new RecordVersion(incarnation, content.holder, epoch, Long.toString(content.beats));
    Duration lease = Duration.ofMillis(content.leaseMillis);
    if (isOfThisIncarnation()) {
      return new LeaseRecord(stamp, content.address, lease, lease, content.released);
    }
    Duration wait = lease.compareTo(longestLease) > 0 ? lease : longestLease;
    return new LeaseRecord(stamp, content.address, lease, wait, false);
  }
}
