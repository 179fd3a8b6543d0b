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

/** One election on Redis, its settings found to be right. */
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

  /** Each wish is a message, so those who prefer nobody send none. */
  @Override
  public boolean carriesPriorityRequestOf(int priority) {
    return priority > 0;
  }

  @Override
  public LeaseStore open(ElectionConfig config) {
    return RedisLeaseStore.open(this, config);
  }

  /**
   * Where Redis is and as whom to speak to it.
   *
   * @param address where it is
   * @param user the ACL user, null for the default one
   * @param password the password, null for none
   * @param caFile certificates to trust, null for those of the JVM
   * @param verifyHost whether a certificate must bear the host's name
   */
  record RedisAccess(
      RedisAddress address,
      @Nullable String user,
      @Nullable Secret password,
      @Nullable Path caFile,
      boolean verifyHost) {

    /** Holds no secret. */
    @Override
    public String toString() {
      return address.withoutSecrets();
    }
  }
}
