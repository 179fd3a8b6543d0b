package io.portcullis.backend.postgres.fence;

import io.portcullis.backend.postgres.line.Access;
import io.portcullis.backend.postgres.line.TableName;
import io.portcullis.election.backend.Settings;
import io.portcullis.election.fence.FenceKind;
import io.portcullis.election.fence.FencePlan;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Fences in Postgres. Beside this class lies {@code fence-reference.conf}: every key that it
 * understands, with its default.
 */
public final class PostgresFenceKind implements FenceKind {
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

  /** For {@link java.util.ServiceLoader}. */
  public PostgresFenceKind() {}

  @Override
  public String name() {
    return "postgres";
  }

  @Override
  public @Nullable FencePlan plan(String service, String election, Settings settings) {
    int before = settings.problems();
    Access access = Access.read(settings);
    TableName table = TableName.read(settings);
    if (table != null && table.table().length() > FenceTable.LONGEST_NAME) {
      settings.refuse(
          "table",
          "is too long: functions are named after it, so it may have at most "
              + FenceTable.LONGEST_NAME
              + " characters.");
    }
    String scope = settings.optionalText("scope").orElse(service + ":" + election);
    Duration wait = settings.duration("wait");
    if (wait.compareTo(LONGEST_WAIT) > 0) {
      settings.refuse("wait", "is " + wait.toSeconds() + "s; it must be at most 60s.");
    }
    FenceMatch match = access == null ? null : match(settings, access);
    return access == null || table == null || match == null || settings.problems() > before
        ? null
        : new PostgresFencePlan(access, match, table, scope, wait);
  }

  private static @Nullable FenceMatch match(Settings settings, Access access) {
    Optional<String> written = settings.optionalText("match");
    try {
      return written.isPresent()
          ? FenceMatch.parse(written.get(), access.url())
          : FenceMatch.of(access.url());
    } catch (IllegalArgumentException e) {
      settings.refuse("match", String.valueOf(e.getMessage()));
      return null;
    }
  }
}
