package io.portcullis.backend.postgres;

import io.portcullis.backend.postgres.jdbc.JdbcUrl;
import io.portcullis.backend.postgres.jdbc.PostgresAccess;
import io.portcullis.backend.postgres.jdbc.TableName;
import io.portcullis.election.backend.StorePlan;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.store.LeaseStore;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One election on Postgres, its settings found to be right.
 *
 * @param timing how fast it all goes
 * @param access where the database is
 * @param table where the row is
 * @param scope the row's key
 * @param lockKey the number of the advisory lock
 * @param channel where changes are told, null for nowhere
 */
record PostgresStorePlan(
    Timing timing,
    PostgresAccess access,
    TableName table,
    String scope,
    long lockKey,
    @Nullable String channel)
    implements StorePlan {

  @Override
  public String storeKey() {
    JdbcUrl url = access.url();
    String hosts = url.hosts().stream().sorted().collect(Collectors.joining(","));
    return "postgres " + hosts + "/" + url.database() + " " + table + " " + scope;
  }

  @Override
  public String describe() {
    return "Postgres at " + access + ", table " + table + ", scope " + scope + ", " + logSuffix();
  }

  /** What every line of the log about this election carries. */
  String logSuffix() {
    return "scope_key=" + lockKey;
  }

  /** Each wish is a NOTIFY, so those who prefer nobody send none. */
  @Override
  public boolean carriesPriorityRequestOf(int priority) {
    return channel != null && priority > 0;
  }

  @Override
  public LeaseStore open(ElectionConfig config) {
    return PostgresLeaseStore.open(this, config);
  }

  /** The number of the advisory lock that belongs to a text: the same in every version. */
  static final class AdvisoryLockKey {
    private AdvisoryLockKey() {}

    /** The first eight bytes of the text's SHA-256, most significant first. */
    static long of(String scope) {
      try {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        byte[] hash = digest.digest(("portcullis:" + scope).getBytes(StandardCharsets.UTF_8));
        return ByteBuffer.wrap(hash).getLong();
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every JVM has SHA-256", e);
      }
    }
  }
}
