package io.portcullis.election.store;

import java.util.Objects;

/**
 * The three things a store can say. There is no fourth: a time-out, an error, a reply that can't be
 * read, all are {@link Unknown}, which is neither yes nor no.
 */
public sealed interface LeaseResponse {

  /**
   * The claim or renewal took effect under {@code epoch}.
   *
   * @param incarnation the life of the store that said so, see {@link RecordVersion}
   */
  record Granted(long epoch, String incarnation) implements LeaseResponse {
    /** Refuses a missing part, and an epoch outside {@link EpochRange}. */
    public Granted {
      Objects.requireNonNull(incarnation, "incarnation");
      if (!EpochRange.contains(epoch)) {
        throw EpochRangeException.implausible(Long.toString(epoch));
      }
    }
  }

  /**
   * The lease does not belong to the request that asked: the record shows whose it is. That can be
   * another node's, nobody's, or the asking node's own from an earlier request whose reply was
   * lost.
   */
  record HeldByOther(LeaseRecord record) implements LeaseResponse {
    /** Refuses a missing part. */
    public HeldByOther {
      Objects.requireNonNull(record, "record");
    }
  }

  /** Nobody knows whether the request took effect. */
  record Unknown(String why) implements LeaseResponse {
    /** Refuses a missing part. */
    public Unknown {
      Objects.requireNonNull(why, "why");
    }
  }
}
