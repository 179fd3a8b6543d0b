package io.portcullis.agent.node;

import io.portcullis.agent.node.ElectionView.ActivityView;
import io.portcullis.agent.node.ElectionView.HealthView;
import io.portcullis.agent.node.ElectionView.LeadershipView;
import io.portcullis.agent.node.ElectionView.LeaseView;
import io.portcullis.agent.node.ElectionView.StoreView;
import io.portcullis.agent.node.TransitionHistory.Transition;
import io.portcullis.election.ElectionListener;
import io.portcullis.election.ElectionMetrics;
import io.portcullis.election.LeaderElection;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.engine.Status;
import io.portcullis.election.machine.Leader;
import io.portcullis.election.machine.WithdrawalReasons.WithdrawalReason;
import io.portcullis.election.store.LeaseStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** One election on a witness: it votes and follows the leader, but never leads itself. */
public final class WitnessElection implements NodeElection {
  private final String backend;
  private final LeaderElection election;

  /**
   * Does not participate before {@link #start()}.
   *
   * @param store the store of a node that only votes
   */
  public WitnessElection(
      ElectionConfig config, String backend, LeaseStore store, TransitionHistory transitions) {
    this.backend = backend;
    this.election = new LeaderElection(config, store, null, Set.of(WithdrawalReason.WITNESS));
    election.addListener(
        new ElectionListener() {
          @Override
          public void newLeader(Leader leader) {
            transitions.add(
                new Transition(
                    Instant.now(),
                    config.name(),
                    leader.epoch(),
                    false,
                    "new leader",
                    leader.identity(),
                    null));
          }
        });
  }

  /** Adds a listener; must be called before {@link #start()}. */
  public void addListener(ElectionListener listener) {
    election.addListener(listener);
  }

  public void start() {
    election.start();
  }

  public void close() {
    election.close();
  }

  @Override
  public String name() {
    return election.config().name();
  }

  @Override
  public ElectionView view() {
    ElectionMetrics metrics = election.metrics();
    Status status = election.status();
    Duration heartbeat = metrics.heartbeatAge();
    return new ElectionView(
        name(),
        new LeadershipView(
            metrics.role(),
            metrics.leader(),
            election.leaderAddress().orElse(null),
            metrics.epoch() == 0 ? null : metrics.epoch(),
            Instant.ofEpochMilli(status.sinceMillis()),
            status.explanation()),
        new LeaseView(
            election.config().timing().lease().toMillis(),
            0,
            heartbeat == null ? -1 : heartbeat.toMillis(),
            status.store().stale()),
        new StoreView(
            backend,
            status.store().answered(),
            status.store().degradedReason(),
            election.members()),
        HealthView.unchecked(status.engine().failure()),
        new ActivityView(metrics.counts(), List.of()),
        false);
  }

  @Override
  public Optional<String> commandRefusal() {
    return Optional.of("Election '" + name() + "': this node is a witness.");
  }

  @Override
  public void stepDown(Optional<String> to) {
    refuse();
  }

  @Override
  public void drain(Duration atMost) {
    refuse();
  }

  @Override
  public void resume() {
    refuse();
  }

  private void refuse() {
    throw new IllegalStateException(commandRefusal().orElseThrow());
  }
}
