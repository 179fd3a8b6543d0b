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
 * Validated settings of an election on Postgres.
 *
 * @param timing the timing of the election
 * @param access address and credentials of the database
 * @param table the lease table
 * @param scope key of the election's row
 * @param lockKey key of the advisory lock
 * @param channel channel for notifications, null for none
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

  /** Suffix of all log lines about this election. */
  String logSuffix() {
    return "scope_key=" + lockKey;
  }

  /** Each priority request is a NOTIFY, so only nodes with a positive priority send them. */
  @Override
  public boolean carriesPriorityRequestOf(int priority) {
    return channel != null && priority > 0;
  }

  @Override
  public LeaseStore open(ElectionConfig config) {
    return PostgresLeaseStore.open(this, config);
  }

  /** Derives advisory lock keys from strings. Must be the same in every version. */
  static final class AdvisoryLockKey {
    private AdvisoryLockKey() {}

    /** Returns the first eight bytes of the string's SHA-256, most significant first. */
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
