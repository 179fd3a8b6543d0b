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
 * Notices when the store stops answering and when it answers again, and says each symptom once.
 * Belongs to the engine's thread.
 */
final class StoreAvailability {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  /** In a cold JVM the way to a store takes a while: nothing to complain of before that. */
  private static final Duration COLD_START = Duration.ofSeconds(3);

  /** However many symptoms an outage has, its log ends. */
  private static final int MAX_LOGGED_SYMPTOMS = 8;

  private final ElectionConfig config;
  private final LogSuffix logSuffix;
  private final Supplier<@Nullable String> outage;
  private final long startedNanos;
  private boolean everAnswered;
  private long lastAsked;
  private long lastAnswered;
  private @Nullable String trouble;

  /** What was said in this outage: its symptoms may take turns, but none is news twice. */
  private final Set<String> loggedSymptoms = new HashSet<>();

  /**
   * Watches from now on.
   *
   * @param outage whom the store says it does not reach, null if it reaches enough
   */
  StoreAvailability(
      ElectionConfig config, LogSuffix mark, Supplier<@Nullable String> outage, long nowNanos) {
    this.config = config;
    this.logSuffix = mark;
    this.outage = outage;
    this.startedNanos = nowNanos;
  }

  /** A request goes out. If the one before was never answered, that is trouble too. */
  void onAsk(long sequence, long nowNanos) {
    if (lastAnswered < lastAsked) {
      String missing = outage.get();
      String late = "no answer within " + config.timing().askTimeout().toMillis() + " ms";
      reportOutage(missing == null ? late : missing, nowNanos);
    }
    lastAsked = sequence;
  }

  /**
   * An answer, perhaps to a question that was given up: then only one that says something counts.
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
      reportOutage(missing, nowNanos); // It told what it knew before, and hears nothing new.
      return;
    }
    trouble = null;
    if (!loggedSymptoms.isEmpty()) {
      loggedSymptoms.clear();
      LOG.info(
          "portcullis election={} node={} the store answers again{}",
          config.name(),
          config.identity(),
          logSuffix);
    }
  }

  private void reportOutage(String why, long nowNanos) {
    trouble = why;
    boolean cold = !everAnswered && nowNanos - startedNanos < COLD_START.toNanos();
    if (!cold && loggedSymptoms.size() < MAX_LOGGED_SYMPTOMS && loggedSymptoms.add(why)) {
      LOG.warn(
          "portcullis election={} node={} the store gives no answer why=\"{}\"{}",
          config.name(),
          config.identity(),
          why,
          logSuffix);
    }
  }

  /** Why the last answer said nothing, null if it said something. */
  @Nullable String trouble() {
    return trouble;
  }
}
