package io.portcullis.backend.postgres;

import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.RecordVersion;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What one read showed: the row of the election, if there is one, and the life of the database that
 * showed it.
 *
 * @param incarnation the present life
 * @param unixSecond the time by the server's clock
 * @param content the row, null if there is none
 */
record LeaseRow(String incarnation, long unixSecond, @Nullable Content content) {

  /**
   * The columns of the row.
   *
   * @param scopeKey the lock's number in the eyes of whoever wrote it last
   * @param epoch the fencing epoch
   * @param holder the identity of the holder, empty if there never was one
   * @param address where the holder can be reached
   * @param leaseMillis how long the holder's right lasts after a beat
   * @param beats rises with every write
   * @param released whether the holder has let go
   * @param grantedIn the life in which the epoch was granted
   * @param recent whether it was written less than a minute ago, by the server's clock
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

  /** What a database without such a table shows. */
  static LeaseRow none(String life) {
    return new LeaseRow(life, 0, null);
  }

  /** True if there is no such row. */
  boolean isNone() {
    return content == null;
  }

  /** True if the holder's epoch was granted in the present life of the database. */
  private boolean isOfThisIncarnation() {
    return content != null && content.grantedIn.equals(incarnation);
  }

  /**
   * True if no later grant can have been forgotten. A row that was not written lately may have been
   * put back from a backup by an operator.
   */
  boolean isUnbroken() {
    return content != null && content.recent && isOfThisIncarnation();
  }

  /**
   * As the machine sees it. A record from another life is waited out for the longest lease there
   * may be, even if it is released: a later tenure may have been forgotten.
   */
  LeaseRecord toRecord(Duration longestLease) {
    if (content == null) {
      return LeaseRecord.none(incarnation);
    }
    // A row that an operator put there, blank, is no grant; but it is a record, to be waited out.
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
