package io.portcullis.backend.quorum.machine;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * State that a voter keeps across restarts. It is saved to disk before any reply that depends on it
 * is sent.
 *
 * @param term the highest term this voter has taken part in, 0 if none
 * @param votedFor the id of the member that has its vote in that term, null if it has not voted;
 *     {@link #SPENT} if it may have voted for an unknown member
 * @param longestPromise the longest lease this voter ever acknowledged: after a restart it neither
 *     votes nor campaigns for that long
 */
public record HardState(long term, @Nullable String votedFor, Duration longestPromise) {
  /** Marks the vote of this term as used for an unknown member. It is never a member's id. */
  public static final String SPENT = "?";

  /** The state of a voter that has not taken part in any term. */
  public static final HardState BLANK = new HardState(0, null, Duration.ZERO);
}
