package io.portcullis.election.engine;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.engine.TransitionLog.LogSuffix;
import io.portcullis.election.store.LeaseResponse;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects when the store stops responding and when it responds again, and logs each symptom once.
 * Used by the engine's thread only.
 */
final class StoreAvailability {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  /** In a cold JVM the first response takes a while; outages are not logged before this time. */
  private static final Duration COLD_START = Duration.ofSeconds(3);

  /** Bounds the number of log lines of one outage. */
  private static final int MAX_LOGGED_SYMPTOMS = 8;

  private final ElectionConfig config;
  private final LogSuffix logSuffix;
  private final Supplier<@Nullable String> outage;
  private final long startedNanos;
  private boolean everAnswered;
  private long lastAsked;
  private long lastAnswered;
  private @Nullable String problem;

  /** Symptoms logged in this outage. They may alternate, but each is logged only once. */
  private final Set<String> loggedSymptoms = new HashSet<>();

  /**
   * @param outage supplies the peers that the store can't reach, null if it reaches enough
   */
  StoreAvailability(
      ElectionConfig config,
      LogSuffix logSuffix,
      Supplier<@Nullable String> outage,
      long nowNanos) {
    this.config = config;
    this.logSuffix = logSuffix;
    this.outage = outage;
    this.startedNanos = nowNanos;
  }

  /**
   * Records that a request is sent. If the previous one has no response yet, that is an outage too.
   */
  void onAsk(long sequence, long nowNanos) {
    if (lastAnswered < lastAsked) {
      String missing = outage.get();
      String late = "no response within " + config.timing().askTimeout().toMillis() + " ms";
      reportOutage(missing == null ? late : missing, nowNanos);
    }
    lastAsked = sequence;
  }

  /**
   * Records a response. If its request has already timed out, only a response other than unknown
   * counts.
   */
  void onAnswer(long sequence, LeaseResponse answer, long nowNanos) {
    boolean late = sequence < lastAsked;
    lastAnswered = Math.max(lastAnswered, sequence);
    if (answer instanceof LeaseResponse.Unknown unknown) {
      if (!late) {
        reportOutage(unknown.why(), nowNanos);
      }
      return;
    }
    everAnswered = true;
    String missing = answer instanceof LeaseResponse.Granted ? null : outage.get();
    if (missing != null) {
      reportOutage(missing, nowNanos); // An old state: the store receives no updates.
      return;
    }
    problem = null;
    if (!loggedSymptoms.isEmpty()) {
      loggedSymptoms.clear();
      LOG.info(
          "portcullis election={} node={} the store responds again{}",
          config.name(),
          config.identity(),
          logSuffix);
    }
  }

  private void reportOutage(String why, long nowNanos) {
    problem = why;
    boolean cold = !everAnswered && nowNanos - startedNanos < COLD_START.toNanos();
    if (!cold && loggedSymptoms.size() < MAX_LOGGED_SYMPTOMS && loggedSymptoms.add(why)) {
      LOG.warn(
          "portcullis election={} node={} the store does not respond why=\"{}\"{}",
          config.name(),
          config.identity(),
          why,
          logSuffix);
    }
  }

  /** Why the last response was unknown, null if it was not. */
  @Nullable String problem() {
    return problem;
  }
}
