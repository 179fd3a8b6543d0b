package io.portcullis.election.engine;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.engine.TransitionLog.LogSuffix;
import io.portcullis.election.machine.Leader;
import io.portcullis.election.machine.Memory;
import io.portcullis.election.machine.ObservedRecord;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs once when a follower has received no heartbeat from the leader for too long, and once when
 * heartbeats resume. For information only: no decision depends on it. Used by the engine's thread
 * only.
 */
final class HeartbeatMonitor {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  private final ElectionConfig config;
  private final LogSuffix logSuffix;
  private boolean stale;

  HeartbeatMonitor(ElectionConfig config, LogSuffix logSuffix) {
    this.config = config;
    this.logSuffix = logSuffix;
  }

  /** Updates the state after a step of the machine. */
  void look(boolean leads, Memory memory, @Nullable Long heartbeatAtNanos, long nowNanos) {
    Duration bound = config.timing().stale();
    if (bound == null || heartbeatAtNanos == null) {
      return;
    }
    Duration age = Duration.ofNanos(nowNanos - heartbeatAtNanos);
    boolean late = !leads && age.compareTo(bound) > 0;
    boolean wasStale = stale;
    stale = late && !isReleased(memory);
    if (stale && !wasStale) {
      LOG.warn(line("is stale"), arguments(memory, age));
    } else if (wasStale && !stale) {
      LOG.info(line(late ? "is no longer expected" : "is fresh again"), arguments(memory, age));
    }
  }

  /**
   * After a release no heartbeat is expected. A release older than the newest tenure does not
   * count, since a node does not observe its own tenure as a record.
   */
  private static boolean isReleased(Memory memory) {
    ObservedRecord observed = memory.observed();
    return observed != null
        && observed.record().released()
        && observed.record().epoch() >= memory.highestEpoch();
  }

  private static String line(String what) {
    return "portcullis election={} node={} epoch={} heartbeat " + what + " leader={} age={}s{}";
  }

  private Object[] arguments(Memory memory, Duration age) {
    Leader last = memory.lastLeader();
    return new Object[] {
      config.name(),
      config.identity(),
      last == null ? memory.highestEpoch() : last.epoch(),
      last == null ? "unknown" : last.identity(),
      age.toSeconds(),
      logSuffix
    };
  }

  boolean isStale() {
    return stale;
  }
}
