package io.portcullis.election.engine;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.store.Answer;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices when the store stops answering and when it answers again, and says each symptom once.
 * Belongs to the engine's thread.
 */
final class StoreWatch {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  /** In a cold JVM the way to a store takes a while: nothing to complain of before that. */
  private static final Duration COLD_START = Duration.ofSeconds(3);

  /** However many symptoms an outage has, its log ends. */
  private static final int MOST_TOLD = 8;

  private final ElectionConfig config;
  private final LogMark mark;
  private final long startedNanos;
  private boolean everAnswered;
  private long lastAsked;
  private long lastAnswered;
  private @Nullable String trouble;

  /** What was said in this outage: its symptoms may take turns, but none is news twice. */
  private final Set<String> told = new HashSet<>();

  StoreWatch(ElectionConfig config, LogMark mark, long nowNanos) {
    this.config = config;
    this.mark = mark;
    this.startedNanos = nowNanos;
  }

  /** A request goes out. If the one before was never answered, that is trouble too. */
  void onAsk(long sequence, long nowNanos) {
    if (lastAnswered != lastAsked) {
      complain("no answer within " + config.timing().askTimeout().toMillis() + " ms", nowNanos);
    }
    lastAsked = sequence;
  }

  void onAnswer(long sequence, Answer answer, long nowNanos) {
    lastAnswered = sequence;
    if (answer instanceof Answer.Unknown unknown) {
      complain(unknown.why(), nowNanos);
      return;
    }
    everAnswered = true;
    trouble = null;
    if (!told.isEmpty()) {
      told.clear();
      LOG.info(
          "portcullis election={} node={} the store answers again{}",
          config.name(),
          config.identity(),
          mark);
    }
  }

  private void complain(String why, long nowNanos) {
    trouble = why;
    boolean cold = !everAnswered && nowNanos - startedNanos < COLD_START.toNanos();
    if (!cold && told.size() < MOST_TOLD && told.add(why)) {
      LOG.warn(
          "portcullis election={} node={} the store gives no answer why=\"{}\"{}",
          config.name(),
          config.identity(),
          why,
          mark);
    }
  }

  /** Why the last answer said nothing, null if it said something. */
  @Nullable String trouble() {
    return trouble;
  }
}
