package io.portcullis.backend.redis;

import io.portcullis.backend.redis.LeaseScript.LeaseKeys;
import io.portcullis.backend.redis.RedisStorePlan.RedisAccess;
import io.portcullis.election.backend.Backend;
import io.portcullis.election.backend.LeaseTiming;
import io.portcullis.election.backend.Secret;
import io.portcullis.election.backend.Settings;
import io.portcullis.election.backend.StorePlan;
import io.portcullis.election.config.Backoff;
import io.portcullis.election.config.Timing;
import io.portcullis.election.config.TimingBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The backend of {@code backend = redis}. */
public final class RedisBackend implements Backend {
  private static final int MAX_REPLICAS = 100;
  private static final double JITTER = 0.1;

  /** For {@link java.util.ServiceLoader}. */
  public RedisBackend() {}

  @Override
  public String name() {
    return "redis";
  }

  @Override
  public @Nullable StorePlan plan(String service, String election, Settings settings) {
    int problemsBefore = settings.problems();
    Timing timing = timing(settings.section("timing"));
    Settings redis = settings.section("redis");
    String key = redis.optionalText("key").orElse("portcullis:" + service + ":" + election);
    int replicas = (int) redis.number("replicas", 0, MAX_REPLICAS);
    boolean newServer = redis.flag("new-server");
    RedisAccess access = access(redis);
    if (access != null
        && access.address().topology() == RedisAddress.Topology.CLUSTER
        && !LeaseKeys.sharesASlot(key)) {
      redis.refuse(
          "key",
          "'"
              + key
              + "' has braces that are not a hash tag, so its record would be in another slot of"
              + " the cluster; remove them, or put the part that determines the slot in braces,"
              + " such as orders:{writer}.");
    }
    return timing == null || access == null || settings.problems() > problemsBefore
        ? null
        : new RedisStorePlan(timing, access, LeaseKeys.of(key), replicas, newServer);
  }

  private static @Nullable Timing timing(Settings timing) {
    TimingBuilder builder = LeaseTiming.read(timing);
    timing.optionalDuration("renew").ifPresent(builder::renew);
    timing.optionalDurations("retry").ifPresent(builder::retryThenStepDown);
    Duration lease = timing.duration("lease");
    Duration first = timing.optionalDuration("reacquire").orElse(lease.dividedBy(6));
    Duration cap = timing.optionalDuration("reacquire-max").orElse(longer(first, lease));
    Backoff backoff = new Backoff(first, cap, JITTER);
    builder.heldBackoff(backoff).unknownBackoff(backoff);
    return LeaseTiming.build(builder, timing);
  }

  private static Duration longer(Duration first, Duration lease) {
    Duration twice = lease.multipliedBy(2);
    return first.compareTo(twice) > 0 ? first : twice;
  }

  private static @Nullable RedisAccess access(Settings redis) {
    Optional<String> username = redis.optionalText("username");
    Optional<Secret> password = redis.secret("password");
    Path caFile = redis.optionalText("ca-file").map(Path::of).orElse(null);
    boolean verifyHost = redis.flag("verify-host");
    RedisAddress address;
    try {
      address = RedisAddress.parse(redis.text("uri"));
    } catch (IllegalArgumentException e) {
      redis.refuse("uri", String.valueOf(e.getMessage()));
      return null;
    }
    String user = username.orElse(address.user());
    if (username.isPresent() && address.user() != null) {
      redis.refuse("username", "is set, but the uri names a user too; name it in one place.");
    }
    if (password.isPresent() && address.password() != null) {
      redis.refuse("password", "is set, but the uri holds one too; keep it out of the uri.");
    }
    if (caFile != null && !address.tls()) {
      redis.refuse("ca-file", "is set, but the uri does not enable TLS; write rediss:// there.");
    } else if (caFile != null && !Files.isReadable(caFile)) {
      redis.refuse("ca-file", "names a file that can't be read: " + caFile + ".");
    }
    String uriPassword = address.password();
    Secret secret = password.orElse(uriPassword == null ? null : () -> uriPassword);
    if (user != null && secret == null) {
      redis.refuse(
          "username",
          "names a user without a password; set password-file, or the password by environment.");
    }
    return new RedisAccess(address, user, secret, caFile, verifyHost);
  }
}
