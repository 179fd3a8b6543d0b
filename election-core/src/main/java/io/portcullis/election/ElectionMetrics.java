package io.portcullis.election;

import io.portcullis.election.engine.ElectionCounts;
import io.portcullis.election.machine.RoleName;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Snapshot of one election's metrics.
 *
 * @param role the role; LEADER only while the gate is open
 * @param leader identity of the leader, null if unknown
 * @param epoch this node's epoch while it leads, else the highest seen; 0 if none
 * @param leaseRemaining how long the gate stays open without a renewal; zero unless leading
 * @param heartbeatAge time since the leader's last heartbeat, null if there was none
 * @param counts counters and histograms since the start
 */
public record ElectionMetrics(
    RoleName role,
    @Nullable String leader,
    long epoch,
    Duration leaseRemaining,
    @Nullable Duration heartbeatAge,
    ElectionCounts counts) {}
