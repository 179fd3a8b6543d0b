package io.portcullis.election.engine;

import io.portcullis.election.machine.LossReason;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an engine has counted and measured.
 *
 * @param elections how many new leaders were seen, this node included
 * @param acquired how often this node began to lead
 * @param lost how often it stopped, by reason
 * @param attempts how its claims were answered: granted, held, unknown
 * @param acquire how long granted claims took
 * @param renew how long good renewals took
 * @param convergence how long nobody was known to lead before somebody was
 * @param heartbeatAtNanos when the leader last gave a sign of life, null if never
 * @param store what the store counted on this side, by name
 */
public record Counts(
    long elections,
    long acquired,
    Map<LossReason, Long> lost,
    Map<String, Long> attempts,
    DurationHistogram acquire,
    DurationHistogram renew,
    DurationHistogram convergence,
    @Nullable Long heartbeatAtNanos,
    Map<String, Long> store) {

  /** Nothing counted yet. */
  public static final Counts NONE =
      new Counts(
          0,
          0,
          Map.of(),
          Map.of(),
          DurationHistogram.NONE,
          DurationHistogram.NONE,
          DurationHistogram.NONE,
          null,
          Map.of());
}
