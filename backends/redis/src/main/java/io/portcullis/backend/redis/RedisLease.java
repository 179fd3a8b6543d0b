package io.portcullis.backend.redis;

import io.portcullis.election.backend.LeaseBuilder;
import io.portcullis.election.backend.StorePlan;
import io.portcullis.election.config.InvalidElectionException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * The lease of an election in Redis, for use without the agent:
 *
 * <pre>{@code
 * StorePlan lease = RedisLease.builder().uri("redis://redis:6379").key("orders:leader").build();
 * LeaderElection election = LeaderElection.on(lease).start();
 * }</pre>
 */
public final class RedisLease {
  private RedisLease() {}

  /** A builder with the agent's defaults. Only {@link Builder#key} has none. */
  public static Builder builder() {
    return new Builder();
  }

  /** Builds the lease of one election in Redis. */
  public static final class Builder extends LeaseBuilder<Builder> {
    private Builder() {
      super(new RedisBackend());
    }

    @Override
    protected Builder self() {
      return this;
    }

    /**
     * The address of Redis: {@code redis://[user[:password]@]host[:port][/database]}, or {@code
     * rediss}, {@code redis-sentinel} and {@code redis-cluster}.
     */
    public Builder uri(String uri) {
      return set("redis.uri", uri);
    }

    /** The key of the lease, the same on every node. Required. */
    public Builder key(String key) {
      return set("redis.key", key);
    }

    /** How many replicas must confirm each grant and each renewal. */
    public Builder replicas(int replicas) {
      return set("redis.replicas", (long) replicas);
    }

    /**
     * Whether a server without a record of this lease has surely not lost one, so that it need not
     * run for a lease before it grants. See docs/redis.md#a-new-server before you set it.
     */
    public Builder newServer(boolean isNew) {
      return set("redis.new-server", isNew);
    }

    /** The ACL user, unless the URI names one. */
    public Builder username(String user) {
      return set("redis.username", user);
    }

    /** The password, unless the URI has one. */
    public Builder password(String password) {
      return setSecret("redis.password", password);
    }

    /** A file with the password, read for each connection. */
    public Builder passwordFile(Path file) {
      return set("redis.password-file", file);
    }

    /** With TLS: a file of PEM certificates to trust. */
    public Builder caFile(Path file) {
      return set("redis.ca-file", file);
    }

    /** With TLS: whether the certificate must contain the host's name. */
    public Builder verifyHost(boolean verify) {
      return set("redis.verify-host", verify);
    }

    /** Pause between renewals. */
    public Builder renew(Duration pause) {
      return set("timing.renew", pause);
    }

    /** Pauses after the first, second … failed renewal; then the node steps down. */
    public Builder retry(Duration... pauses) {
      return setDurations("timing.retry", pauses);
    }

    /** First pause of a standby between its attempts; it doubles up to the maximum. */
    public Builder reacquire(Duration pause) {
      return set("timing.reacquire", pause);
    }

    /** Maximum pause of a standby. */
    public Builder reacquireMax(Duration pause) {
      return set("timing.reacquire-max", pause);
    }

    /**
     * Checks all options; opens no connection.
     *
     * @throws InvalidElectionException with every problem
     */
    public StorePlan build() {
      return plan(
          settings -> new RedisBackend().plan("library", "leader", settings),
          Map.of("redis.key", "the key of the lease, the same on every node"));
    }
  }
}
