package io.portcullis.backend.redis;

import io.portcullis.election.store.StoreFeatures.GrantDelay;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * For how long Redis still grants nothing because it has just started, as of its last response. For
 * display only: the script decides. Thread-safe.
 */
final class ServerStartDelay {
  private static final String PAGE = "docs/redis.md#a-new-server";

  /**
   * What a response reported.
   *
   * @param informed whether the server reports its run_id and uptime; otherwise the connection's
   *     age counts
   * @param livedMillis a lower bound of its uptime
   * @param delayMillis for how much longer it grants nothing
   */
  record ServerAge(boolean informed, long livedMillis, long delayMillis) {}

  private record AgeObservation(ServerAge age, long arrivedNanos) {}

  private volatile @Nullable AgeObservation observation;

  void onReply(ServerAge age, long arrivedNanos) {
    observation = new AgeObservation(age, arrivedNanos);
  }

  @Nullable GrantDelay at(long nowNanos) {
    AgeObservation seen = observation;
    if (seen == null) {
      return null;
    }
    long elapsedMillis = TimeUnit.NANOSECONDS.toMillis(nowNanos - seen.arrivedNanos);
    long leftMillis = seen.age.delayMillis - elapsedMillis;
    if (leftMillis <= 0) {
      return null;
    }
    long seconds = TimeUnit.MILLISECONDS.toSeconds(seen.age.livedMillis + elapsedMillis);
    String reason =
        seen.age.informed
            ? "Redis has run for " + (seconds + 1) + " s"
            : "Redis may have restarted " + seconds + " s ago (INFO is not allowed)";
    return new GrantDelay(reason, Duration.ofMillis(leftMillis), PAGE);
  }
}
