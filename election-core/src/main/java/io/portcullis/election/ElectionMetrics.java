package io.portcullis.election;

import io.portcullis.election.engine.ElectionCounts;
import io.portcullis.election.machine.RoleName;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An election in figures, at one moment.
 *
 * @param role the role; LEADER only while the gate is open
 * @param leader who leads, as far as known
 * @param epoch the own epoch while leading, else the highest seen; 0 if none
 * @param leaseRemaining how long the gate stays open without a renewal; zero unless leading
 * @param heartbeatAge how long ago the leader last gave a sign of life, null if never
 * @param counts what was counted and measured so far
 */
public record ElectionMetrics(
    RoleName role,
    @Nullable String leader,
    long epoch,
    Duration leaseRemaining,
    @Nullable Duration heartbeatAge,
    ElectionCounts counts) {}
