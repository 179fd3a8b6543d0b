package io.portcullis.backend.redis;

import io.portcullis.backend.redis.LeaseScript.LeaseKeys;
import io.portcullis.election.backend.Secret;
import io.portcullis.election.backend.StorePlan;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.store.LeaseStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The checked settings of one election on Redis.
 *
 * @param replicas how many replicas must confirm each grant and renewal
 * @param newServer whether a server without a record of the election has surely not lost one
 */
record RedisStorePlan(
    Timing timing, RedisAccess access, LeaseKeys keys, int replicas, boolean newServer)
    implements StorePlan {
  /**
   * Added to the longest lease: one second, up to one more because the uptime counts in whole
   * seconds, and the rest of the lease's own last second.
   */
  private static final Duration START_DELAY = Duration.ofMillis(2999);

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

  @Override
  public List<String> warnings() {
    return newServer
        ? List.of(
            "redis.new-server is true: after a restart of Redis that loses its data, two nodes may"
                + " lead for up to a lease; leave it out once the election has run, see"
                + " docs/redis.md#a-new-server")
        : List.of();
  }

  @Override
  public List<String> notes() {
    // Up to two seconds more than the lease, because Redis counts its uptime in whole seconds.
    long seconds = timing.longestLease().plus(START_DELAY).toSeconds();
    return List.of(
        newServer
            ? "an empty Redis grants the lease at once, one with data not before it has run for "
                + seconds
                + " s (docs/redis.md#a-new-server)"
            : "a Redis that has just started grants nothing for up to "
                + seconds
                + " s (docs/redis.md#a-new-server)");
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
