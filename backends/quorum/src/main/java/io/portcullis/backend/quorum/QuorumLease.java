package io.portcullis.backend.quorum;

import io.portcullis.election.backend.LeaseBuilder;
import io.portcullis.election.backend.Settings;
import io.portcullis.election.backend.StorePlan;
import io.portcullis.election.config.InvalidElectionException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The lease of an election among the nodes themselves, for use without the agent:
 *
 * <pre>{@code
 * StorePlan lease =
 *     QuorumLease.builder()
 *         .cluster("orders/writer")
 *         .member("a", "10.0.0.7:7400")
 *         .member("b", "10.0.0.8:7400")
 *         .member("c", "10.0.0.9:7400")
 *         .self("a")
 *         .secretFile(Path.of("/etc/orders/quorum.secret"))
 *         .dataDir(Path.of("/var/lib/orders"))
 *         .build();
 * LeaderElection election = LeaderElection.on(lease).start();
 * }</pre>
 */
public final class QuorumLease {
  private QuorumLease() {}

  /** A builder with the agent's defaults. Cluster, members, self and data folder have none. */
  public static Builder builder() {
    return new Builder();
  }

  /** Builds the lease of one election among its members. */
  public static final class Builder extends LeaseBuilder<Builder> {
    /** Replaces service and election of the agent's configuration. */
    private static final String CLUSTER = "quorum.cluster";

    /** Names that the agent's configuration accepts too, so that both can join one cluster. */
    private static final Pattern CLUSTER_NAME = Pattern.compile("[A-Za-z0-9._-]+/[A-Za-z0-9._-]+");

    private String cluster = "";

    private Builder() {
      super(new QuorumBackend());
    }

    @Override
    protected Builder self() {
      return this;
    }

    /**
     * The election, the same on every member: {@code service/election} as in the agent's
     * configuration. Required.
     */
    public Builder cluster(String name) {
      cluster = name == null ? "" : name;
      return set(CLUSTER, name);
    }

    /**
     * A member, and where the others reach it. At least three are required, the same on every node.
     */
    public Builder member(String id, String hostAndPort) {
      return set("quorum.members." + id, hostAndPort);
    }

    /** Which of the members this node is. Required. */
    public Builder self(String id) {
      return set("quorum.self", id);
    }

    /** Address on which this node listens; default: its address among the members. */
    public Builder listen(String hostAndPort) {
      return set("quorum.listen", hostAndPort);
    }

    /** A secret that all members share. Without a secret and without TLS, loopback only. */
    public Builder secret(String secret) {
      return setSecret("quorum.secret", secret);
    }

    /** A file with the secret, read for each connection. */
    public Builder secretFile(Path file) {
      return set("quorum.secret-file", file);
    }

    /** A second secret that is accepted too, while one is replaced. */
    public Builder otherSecret(String secret) {
      return setSecret("quorum.other-secret", secret);
    }

    /** A file with the second secret. */
    public Builder otherSecretFile(Path file) {
      return set("quorum.other-secret-file", file);
    }

    /** Mutual TLS: PEM files of this node's certificate chain, its key, and the members' CA. */
    public Builder tls(Path cert, Path key, Path ca) {
      return set("quorum.tls.cert", cert).set("quorum.tls.key", key).set("quorum.tls.ca", ca);
    }

    /** The folder in which this node keeps its votes; it must outlive a restart. Required. */
    public Builder dataDir(Path folder) {
      return set("quorum.data-dir", folder);
    }

    /** Pause between heartbeats. */
    public Builder renew(Duration pause) {
      return set("timing.renew", pause);
    }

    /** Minimum time a node waits for a leader before it requests votes. */
    public Builder electionTimeoutMin(Duration timeout) {
      return set("timing.election-timeout-min", timeout);
    }

    /** Maximum time a node waits for a leader before it requests votes. */
    public Builder electionTimeoutMax(Duration timeout) {
      return set("timing.election-timeout-max", timeout);
    }

    /**
     * Checks all options; opens neither a connection nor the file of votes.
     *
     * @throws InvalidElectionException with every problem
     */
    public StorePlan build() {
      return plan(
          this::read, Map.of(CLUSTER, "the election, such as orders/writer, on every member"));
    }

    private @Nullable StorePlan read(Settings settings) {
      if (!cluster.isEmpty() && !CLUSTER_NAME.matcher(cluster).matches()) {
        settings.refuse(
            CLUSTER,
            "'"
                + cluster
                + "' must be service/election, each of letters, digits, dots, underscores and"
                + " hyphens.");
      }
      return QuorumBackend.plan(cluster, settings);
    }
  }
}
