package io.portcullis.backend.redis;

import io.portcullis.backend.redis.LeaseScript.LeaseKeys;
import io.portcullis.election.backend.Secret;
import io.portcullis.election.backend.StorePlan;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.store.LeaseStore;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The checked settings of one election on Redis. */
record RedisStorePlan(Timing timing, RedisAccess access, LeaseKeys keys, int replicas)
    implements StorePlan {

  @Override
  public String storeKey() {
    RedisAddress address = access.address();
    String hosts =
        address.hosts().stream().map(Object::toString).sorted().collect(Collectors.joining(","));
    return "redis " + hosts + "/" + address.database() + " " + keys.lease();
  }

  @Override
  public String describe() {
    return "Redis at " + access + ", key " + keys.lease();
  }

  /** Each priority request is a message; nodes without a priority send none. */
  @Override
  public boolean carriesPriorityRequestOf(int priority) {
    return priority > 0;
  }

  @Override
  public LeaseStore open(ElectionConfig config) {
    return RedisLeaseStore.open(this, config);
  }

  /**
   * The address of Redis and the credentials for it.
   *
   * @param address the servers
   * @param user the ACL user, null for the default one
   * @param password the password, null for none
   * @param caFile PEM certificates to trust, null for those of the JVM
   * @param verifyHost whether a certificate must contain the host's name
   */
  record RedisAccess(
      RedisAddress address,
      @Nullable String user,
      @Nullable Secret password,
      @Nullable Path caFile,
      boolean verifyHost) {

    /** Contains no secret. */
    @Override
    public String toString() {
      return address.withoutSecrets();
    }
  }
}
