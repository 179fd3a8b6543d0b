package io.portcullis.backend.redis;

import io.portcullis.election.backend.StorePlan;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.store.LeaseStore;
import java.util.stream.Collectors;

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
  public boolean carriesWishOf(int priority) {
    return priority > 0;
  }

  @Override
  public LeaseStore open(ElectionConfig config) {
    return RedisLeaseStore.open(this, config);
  }
}
