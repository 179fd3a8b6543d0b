package io.portcullis.backend.postgres;

import io.portcullis.election.backend.LeaseBuilder;
import io.portcullis.election.backend.StorePlan;
import io.portcullis.election.config.InvalidElectionException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * The lease of an election in a Postgres table, for use without the agent:
 *
 * <pre>{@code
 * StorePlan lease =
 *     PostgresLease.builder()
 *         .url("jdbc:postgresql://db/app")
 *         .user("app")
 *         .passwordFile(Path.of("/run/secrets/db"))
 *         .scope("orders:writer")
 *         .build();
 * LeaderElection election = LeaderElection.on(lease).start();
 * }</pre>
 */
public final class PostgresLease {
  private PostgresLease() {}

  /** A builder with the agent's defaults. Url, user and scope have none. */
  public static Builder builder() {
    return new Builder();
  }

  /** Builds the lease of one election in Postgres. */
  public static final class Builder extends LeaseBuilder<Builder> {
    private Builder() {
      super(new PostgresBackend());
    }

    @Override
    protected Builder self() {
      return this;
    }

    /** Where the database is, as the Postgres driver reads it. Required. */
    public Builder url(String url) {
      return set("postgres.url", url);
    }

    /** The role. Required unless the url names one. */
    public Builder user(String user) {
      return set("postgres.user", user);
    }

    public Builder password(String password) {
      return setSecret("postgres.password", password);
    }

    /** A file with the password, read for each connection. */
    public Builder passwordFile(Path file) {
      return set("postgres.password-file", file);
    }

    /** The table, optionally with its schema before a dot. Several elections may share it. */
    public Builder table(String table) {
      return set("postgres.table", table);
    }

    /** The key of this election's row, the same on every node. Required. */
    public Builder scope(String scope) {
      return set("postgres.scope", scope);
    }

    /** The number of the advisory lock, instead of one derived from the scope. */
    public Builder lockKey(long key) {
      return set("postgres.lock-key", Long.toString(key));
    }

    /** The channel of NOTIFY for handovers; {@code off} for none. */
    public Builder channel(String channel) {
      return set("postgres.channel", channel);
    }

    /** Pause between heartbeats. */
    public Builder renew(Duration pause) {
      return set("timing.renew", pause);
    }

    /** Fraction by which that pause varies, such as 0.2. */
    public Builder jitter(double jitter) {
      return set("timing.jitter", jitter);
    }

    /** Minimum pause of a standby between its attempts. */
    public Builder acquireMin(Duration pause) {
      return set("timing.acquire-min", pause);
    }

    /** Maximum pause of a standby between its attempts. */
    public Builder acquireMax(Duration pause) {
      return set("timing.acquire-max", pause);
    }

    /** Followers log and flag a heartbeat that is older than this. */
    public Builder stale(Duration age) {
      return set("timing.stale", age);
    }

    /**
     * Checks all options; opens no connection.
     *
     * @throws InvalidElectionException with every problem
     */
    public StorePlan build() {
      return plan(
          settings -> new PostgresBackend().plan("library", "leader", settings),
          Map.of("postgres.scope", "the key of the election's row, the same on every node"));
    }
  }
}
