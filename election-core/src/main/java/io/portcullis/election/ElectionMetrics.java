package io.portcullis.election;

import io.portcullis.election.machine.Ending;
import io.portcullis.election.machine.RoleName;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An election in figures, at one moment.
 *
 * @param role the role; LEADER only while the gate is open
 * @param leader who leads, as far as known
 * @param epoch the own epoch while leading, else the highest seen; 0 if none
 * @param leaseRemaining how long the gate stays open without a renewal; zero unless leading
 * @param heartbeatAge how long ago the leader last gave a sign of life, null if never
 * @param elections how many new leaders were seen
 * @param acquired how often this node began to lead
 * @param lost how often it stopped, by reason
 * @param attempts how its claims were answered: granted, held, unknown
 * @param lastAcquire how long the last granted claim took
 * @param lastRenew how long the last good renewal took
 * @param lastConvergence how long nobody was known to lead before the present leader was
 */
public record ElectionMetrics(
    RoleName role,
    @Nullable String leader,
    long epoch,
    Duration leaseRemaining,
    @Nullable Duration heartbeatAge,
    long elections,
    long acquired,
    Map<Ending, Long> lost,
    Map<String, Long> attempts,
    @Nullable Duration lastAcquire,
    @Nullable Duration lastRenew,
    @Nullable Duration lastConvergence) {}
