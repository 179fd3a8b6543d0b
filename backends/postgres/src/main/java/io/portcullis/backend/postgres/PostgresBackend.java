package io.portcullis.backend.postgres;

import io.portcullis.backend.postgres.PostgresStorePlan.AdvisoryLockKey;
import io.portcullis.backend.postgres.jdbc.PostgresAccess;
import io.portcullis.backend.postgres.jdbc.TableName;
import io.portcullis.election.backend.Backend;
import io.portcullis.election.backend.LeaseTiming;
import io.portcullis.election.backend.Settings;
import io.portcullis.election.backend.StorePlan;
import io.portcullis.election.config.Backoff;
import io.portcullis.election.config.Timing;
import io.portcullis.election.config.TimingBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The backend {@code postgres}: reads and validates its settings. */
public final class PostgresBackend implements Backend {
  /** Maximum backoff while the database does not respond. */
  private static final Duration MAX_BACKOFF = Duration.ofSeconds(3);

  private static final Duration DEFAULT_STALE = Duration.ofSeconds(30);
  private static final double JITTER = 0.2;
  private static final String NO_CHANNEL = "off";

  /** Used by {@link java.util.ServiceLoader}. */
  public PostgresBackend() {}

  @Override
  public String name() {
    return "postgres";
  }

  @Override
  public @Nullable StorePlan plan(String service, String election, Settings settings) {
    int before = settings.problems();
    Timing timing = timing(settings.section("timing"));
    Settings postgres = settings.section("postgres");
    PostgresAccess access = PostgresAccess.read(postgres);
    TableName table = TableName.read(postgres);
    String scope = postgres.optionalText("scope").orElse(service + ":" + election);
    long lockKey = lockKey(postgres, scope);
    String channel = channel(postgres);
    return timing == null || access == null || table == null || settings.problems() > before
        ? null
        : new PostgresStorePlan(timing, access, table, scope, lockKey, channel);
  }

  private static @Nullable Timing timing(Settings timing) {
    TimingBuilder builder = LeaseTiming.read(timing);
    Duration lease = timing.duration("lease");
    builder.renew(timing.optionalDuration("renew").orElse(lease.dividedBy(2)));
    builder.renewJitter(timing.share("jitter"));
    builder.retryUntilLapse(List.of(lease.dividedBy(24), lease.dividedBy(12)));
    builder.holdAfterLapse(lease);
    builder.stale(timing.optionalDuration("stale").orElse(longer(DEFAULT_STALE, lease)));
    Duration min = timing.duration("acquire-min");
    Duration max = timing.duration("acquire-max");
    if (min.compareTo(max) > 0) {
      timing.refuse("acquire-min", "must not be longer than acquire-max.");
      return null;
    }
    builder.heldBackoff(Backoff.between(min, max));
    builder.unknownBackoff(new Backoff(min, longer(MAX_BACKOFF, max), JITTER));
    return LeaseTiming.build(builder, timing);
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  private static long lockKey(Settings postgres, String scope) {
    Optional<String> given = postgres.optionalText("lock-key");
    try {
      return given.isPresent() ? Long.parseLong(given.get()) : AdvisoryLockKey.of(scope);
    } catch (NumberFormatException e) {
      postgres.refuse(
          "lock-key", "is '" + given.get() + "'; it must be a 64-bit integer, such as 4711.");
      return 0;
    }
  }

  private static @Nullable String channel(Settings postgres) {
    String channel = postgres.text("channel");
    if (!TableName.isPlain(channel)) {
      postgres.refuse(
          "channel",
          "'"
              + channel
              + "' is not a channel name: it must be lower-case letters, digits and underscores,"
              + " at most 63; or off for none.");
    }
    return channel.equals(NO_CHANNEL) ? null : channel;
  }
}
