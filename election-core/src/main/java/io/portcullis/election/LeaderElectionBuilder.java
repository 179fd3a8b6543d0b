package io.portcullis.election;

import io.portcullis.election.backend.StorePlan;
import io.portcullis.election.config.ElectionConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link LeaderElection} on the lease of a {@link StorePlan}, with the timing of that
 * plan: a store and its election must agree on it. Created by {@link LeaderElection#on}.
 *
 * <p>Each election that it builds must have its own identity. If none is set, each gets a new one.
 */
public final class LeaderElectionBuilder {
  private final StorePlan lease;
  private final List<ElectionListener> listeners = new ArrayList<>();
  private String scope = "library";
  private String name = "leader";
  private @Nullable String identity;
  private @Nullable String address;
  private int priority;

  LeaderElectionBuilder(StorePlan lease) {
    this.lease = Objects.requireNonNull(lease, "lease");
  }

  /** The service whose election this is, the same on every node; default: {@code library}. */
  public LeaderElectionBuilder scope(String value) {
    scope = value;
    return this;
  }

  /** The election's name in logs and threads, the same on every node; default: {@code leader}. */
  public LeaderElectionBuilder name(String value) {
    name = value;
    return this;
  }

  /**
   * Identity of this process, which no other process may ever have, not even this one after a
   * restart; default: {@link NodeIdentity#unique()}.
   */
  public LeaderElectionBuilder identity(String value) {
    identity = value == null ? "" : value;
    return this;
  }

  /** Where this node can be reached while it leads, published to the other nodes. */
  public LeaderElectionBuilder address(String value) {
    address = value;
    return this;
  }

  /** The node of the highest priority is preferred; no safety depends on it. Default: 0. */
  public LeaderElectionBuilder priority(int value) {
    priority = value;
    return this;
  }

  /** Adds a listener, which receives all events. */
  public LeaderElectionBuilder listener(ElectionListener listener) {
    listeners.add(Objects.requireNonNull(listener, "listener"));
    return this;
  }

  /**
   * Opens the store. The election takes no part until it is started.
   *
   * @throws io.portcullis.election.config.InvalidElectionException with every problem
   */
  public LeaderElection build() {
    ElectionConfig config =
        new ElectionConfig(
            scope,
            name,
            identity == null ? NodeIdentity.unique() : identity,
            address,
            lease.timing(),
            priority);
    LeaderElection election = new LeaderElection(config, lease.open(config));
    listeners.forEach(election::addListener);
    return election;
  }

  /** Builds the election and starts to participate. */
  public LeaderElection start() {
    LeaderElection election = build();
    election.start();
    return election;
  }

  /**
   * Builds the election and tries once: returns as soon as this node leads, another node is seen to
   * lead, or {@code timeout} has passed. A node that does not lead by then does not start to lead
   * later.
   */
  public LeaderElection once(Duration timeout) throws InterruptedException {
    LeaderElection election = build();
    election.tryOnce(timeout);
    return election;
  }
}
