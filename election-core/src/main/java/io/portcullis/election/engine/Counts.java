package io.portcullis.election.engine;

import io.portcullis.election.machine.Ending;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an engine has counted and measured.
 *
 * @param elections how many new leaders were seen, this node included
 * @param acquired how often this node began to lead
 * @param lost how often it stopped, by reason
 * @param attempts how its claims were answered: granted, held, unknown
 * @param lastAcquire how long the last granted claim took, null if none was granted
 * @param lastRenew how long the last good renewal took, null if there was none
 * @param lastConvergence how long nobody was known to lead before the present leader was
 * @param heartbeatAtNanos when the leader last gave a sign of life, null if never
 */
public record Counts(
    long elections,
    long acquired,
    Map<Ending, Long> lost,
    Map<String, Long> attempts,
    @Nullable Duration lastAcquire,
    @Nullable Duration lastRenew,
    @Nullable Duration lastConvergence,
    @Nullable Long heartbeatAtNanos) {

  static final Counts NONE = new Counts(0, 0, Map.of(), Map.of(), null, null, null, null);
}
