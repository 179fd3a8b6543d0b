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
 * Notices when a follower has heard nothing of the leader for too long and when it hears again, and
 * says each once. It is news for people: nobody leads or waits by it. Belongs to the engine's
 * thread.
 */
final class HeartbeatMonitor {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  private final ElectionConfig config;
  private final LogSuffix logSuffix;
  private boolean stale;

  HeartbeatMonitor(ElectionConfig config, LogSuffix mark) {
    this.config = config;
    this.logSuffix = mark;
  }

  /** Looks after a step: whether this node leads, what it remembers, the last sign of life. */
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
      LOG.info(line(late ? "is awaited no more" : "is fresh again"), arguments(memory, age));
    }
  }

  /**
   * After a release nobody is expected to beat. A release older than the newest tenure does not
   * count: a node's own tenure is no sighting to it.
   */
  private static boolean isReleased(Memory memory) {
    ObservedRecord sighting = memory.observed();
    return sighting != null
        && sighting.record().released()
        && sighting.record().epoch() >= memory.highestEpoch();
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

  /** Whether the leader's last sign of life is too old. */
  boolean isStale() {
    return stale;
  }
}
