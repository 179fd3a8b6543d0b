package io.portcullis.election.store;

import java.util.Objects;

/**
 * The three possible responses of a store. A timeout, an error and an unreadable response are all
 * {@link Unknown}, which is neither yes nor no.
 */
public sealed interface LeaseResponse {

  /**
   * The claim or renewal took effect under {@code epoch}.
   *
   * @param incarnation the incarnation of the store that granted it, see {@link RecordVersion}
   */
  record Granted(long epoch, String incarnation) implements LeaseResponse {
    /** Rejects missing components, and an epoch outside {@link EpochRange}. */
    public Granted {
      Objects.requireNonNull(incarnation, "incarnation");
      if (!EpochRange.contains(epoch)) {
        throw EpochRangeException.implausible(Long.toString(epoch));
      }
    }
  }

  /**
   * The requesting node was not granted the lease; the record shows the holder. That can be another
   * node, none, or the requesting node itself from an earlier request whose response was lost.
   */
  record HeldByOther(LeaseRecord record) implements LeaseResponse {
    public HeldByOther {
      Objects.requireNonNull(record, "record");
    }
  }

  /** It is unknown whether the request took effect. */
  record Unknown(String why) implements LeaseResponse {
    public Unknown {
      Objects.requireNonNull(why, "why");
    }
  }
}
