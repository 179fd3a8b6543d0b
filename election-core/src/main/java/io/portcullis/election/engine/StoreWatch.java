package io.portcullis.election.engine;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.store.Answer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices when the store stops answering and when it answers again, and says each once. Belongs to
 * the engine's thread.
 */
final class StoreWatch {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  private final ElectionConfig config;

  /** The first request of a cold JVM may take longer than one can wait for it. */
  private static final int FORGIVEN = 1;

  private int silences;
  private long lastAsked;
  private long lastAnswered;
  private @Nullable String trouble;

  StoreWatch(ElectionConfig config) {
    this.config = config;
  }

  /** A request goes out. If the one before was never answered, that is trouble too. */
  void onAsk(long sequence) {
    if (lastAnswered == lastAsked) {
      silences = 0;
    } else if (++silences > FORGIVEN) {
      complain("no answer within " + config.timing().askTimeout().toMillis() + " ms");
    }
    lastAsked = sequence;
  }

  void onAnswer(long sequence, Answer answer) {
    lastAnswered = sequence;
    if (answer instanceof Answer.Unknown unknown) {
      complain(unknown.why());
    } else if (trouble != null) {
      trouble = null;
      LOG.info(
          "portcullis election={} node={} the store answers again",
          config.name(),
          config.identity());
    }
  }

  private void complain(String why) {
    if (!why.equals(trouble)) {
      trouble = why;
      LOG.warn(
          "portcullis election={} node={} the store gives no answer why=\"{}\"",
          config.name(),
          config.identity(),
          why);
    }
  }

  /** Why the last answer said nothing, null if it said something. */
  @Nullable String trouble() {
    return trouble;
  }
}
