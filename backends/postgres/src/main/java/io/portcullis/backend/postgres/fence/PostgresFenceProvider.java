package io.portcullis.backend.postgres.fence;

import io.portcullis.backend.postgres.jdbc.PostgresAccess;
import io.portcullis.backend.postgres.jdbc.TableName;
import io.portcullis.election.backend.Settings;
import io.portcullis.election.fence.FencePlan;
import io.portcullis.election.fence.FenceProvider;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Provider of fences in Postgres. Its keys and their defaults are in {@code fence-reference.conf}
 * next to this class.
 */
public final class PostgresFenceProvider implements FenceProvider {
  private static final Duration MAX_WAIT = Duration.ofMinutes(1);

  /** Used by {@link java.util.ServiceLoader}. */
  public PostgresFenceProvider() {}

  @Override
  public String name() {
    return "postgres";
  }

  @Override
  public @Nullable FencePlan plan(String service, String election, Settings settings) {
    int before = settings.problems();
    PostgresAccess access = PostgresAccess.read(settings);
    TableName table = TableName.read(settings);
    if (table != null && table.table().length() > FenceTable.MAX_NAME) {
      settings.refuse(
          "table",
          "is too long: functions are named after it, so it may have at most "
              + FenceTable.MAX_NAME
              + " characters.");
    }
    String scope = settings.optionalText("scope").orElse(service + ":" + election);
    Duration wait = settings.duration("wait");
    if (wait.compareTo(MAX_WAIT) > 0) {
      settings.refuse("wait", "is " + wait.toSeconds() + "s; it must be at most 60s.");
    }
    FencedDatabaseMatcher match = access == null ? null : match(settings, access);
    return access == null || table == null || match == null || settings.problems() > before
        ? null
        : new PostgresFencePlan(access, match, table, scope, wait);
  }

  private static @Nullable FencedDatabaseMatcher match(Settings settings, PostgresAccess access) {
    Optional<String> written = settings.optionalText("match");
    try {
      return written.isPresent()
          ? FencedDatabaseMatcher.parse(written.get(), access.url())
          : FencedDatabaseMatcher.of(access.url());
    } catch (IllegalArgumentException e) {
      settings.refuse("match", String.valueOf(e.getMessage()));
      return null;
    }
  }
}
