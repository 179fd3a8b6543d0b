package io.portcullis.backend.quorum.machine;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a voter must never forget. It reaches the disk before any reply that rests on it.
 *
 * @param term the highest term this voter has taken part in, 0 if none
 * @param votedFor the id of the member that has its vote in that term, null if nobody has yet;
 *     {@link #SPENT} if it may have voted and does not know for whom
 * @param longestPromise the longest lease this voter ever acknowledged: after a restart it neither
 *     votes nor campaigns for that long
 */
public record HardState(long term, @Nullable String votedFor, Duration longestPromise) {
  /** No member's id: the vote of this term is gone. */
  public static final String SPENT = "?";

  /** A voter that has taken part in nothing. */
  public static final HardState BLANK = new HardState(0, null, Duration.ZERO);
}
