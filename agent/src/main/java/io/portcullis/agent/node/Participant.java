package io.portcullis.agent.node;

import io.portcullis.agent.gating.GateDoor;
import io.portcullis.agent.gating.Settling;
import io.portcullis.election.ElectionListener;
import io.portcullis.election.ElectionMetrics;
import io.portcullis.election.LeaderElection;
import io.portcullis.election.Tenure;
import io.portcullis.election.backend.StorePlan;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.engine.Status;
import io.portcullis.election.machine.Absence;
import io.portcullis.election.machine.Ending;
import io.portcullis.election.machine.Leader;
import io.portcullis.election.machine.RoleName;
import io.portcullis.gate.ElectionGate;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** This node's part in one election: the election itself, tied to the gate that woven code asks. */
public final class Participant implements NodeElection {
  private final String backend;
  private final ElectionGate gate;
  private final LeaderElection election;
  private final Settling settling;
  private final Transitions transitions;
  private final Set<Absence> reasons;

  /**
   * Takes no part before {@link #start()}.
   *
   * @param backend the kind of store, for people
   * @param notReady whether it has to wait until {@link #allowCampaign()}
   */
  public Participant(
      ElectionConfig config,
      String backend,
      StorePlan plan,
      ElectionGate gate,
      Settling settling,
      Transitions transitions,
      boolean notReady) {
    this.backend = backend;
    this.gate = gate;
    this.settling = settling;
    this.transitions = transitions;
    this.reasons = notReady ? EnumSet.of(Absence.NOT_READY) : EnumSet.noneOf(Absence.class);
    this.election =
        new LeaderElection(config, plan.open(config), new GateDoor(gate), Set.copyOf(reasons));
    election.addListener(new Watcher());
  }

  /** Tells one more of what happens; call before {@link #start()}. */
  public void addListener(ElectionListener listener) {
    election.addListener(listener);
  }

  /** Begins to take part. */
  public void start() {
    election.start();
  }

  @Override
  public String name() {
    return election.config().name();
  }

  /**
   * Ends the time in which calls wait for news, once the store has answered and this node may not
   * campaign anyway.
   */
  public void settleIfInVain() {
    if (election.status().answered() && !mayCampaign()) {
      settling.settle();
    }
  }

  /** What it had to wait for has come. */
  public void allowCampaign() {
    synchronized (reasons) {
      reasons.remove(Absence.NOT_READY);
    }
    election.rejoin(Absence.NOT_READY);
  }

  /** Never leads again: the gate can't be relied on in this JVM. */
  public void refuseForGood() {
    endWaiting();
    election.withdraw(Absence.INELIGIBLE, Duration.ZERO);
  }

  /** No call waits for the gate from now on: it is in vain, or would hold up the JVM's end. */
  public void endWaiting() {
    settling.settle();
    gate.endWaiting();
  }

  @Override
  public void stepDown() {
    election.stepDown();
  }

  @Override
  public void drain(Duration atMost) {
    election.withdraw(Absence.DRAINED, atMost);
  }

  @Override
  public void resume() {
    election.rejoin(Absence.DRAINED);
  }

  /** Shuts the gate, lets calls finish, gives the lease back, ends. */
  public void close() {
    endWaiting();
    election.close();
  }

  @Override
  public ElectionView view() {
    ElectionMetrics metrics = election.metrics();
    Status status = election.status();
    RoleName role = metrics.role();
    boolean open = gate.isOpen();
    if (role == RoleName.LEADER && !open) {
      role = RoleName.CANDIDATE; // Nobody is known to lead.
    }
    boolean leads = role == RoleName.LEADER;
    long epoch = leads ? gate.epoch() : metrics.epoch();
    Duration heartbeat = metrics.heartbeatAge();
    return new ElectionView(
        name(),
        role,
        metrics.leader(),
        election.leaderAddress().orElse(null),
        epoch == 0 ? null : epoch,
        leads ? gate.leaseRemainingNanos() / 1_000_000 : 0,
        heartbeat == null ? -1 : heartbeat.toMillis(),
        status.stale(),
        backend,
        Instant.ofEpochMilli(status.sinceMillis()),
        mayCampaign() ? status.explanation() : "waits until the rules it requires are armed",
        status.handicap(),
        status.answered(),
        mayCampaign(),
        status.failure(),
        metrics.counts(),
        false,
        election.config().timing().lease().toMillis(),
        election.companions());
  }

  private boolean mayCampaign() {
    synchronized (reasons) {
      return reasons.isEmpty();
    }
  }

  /** Tells the gate who leads, and the history what happened. */
  private final class Watcher implements ElectionListener {
    @Override
    public void startedLeading(Tenure tenure) {
      note(tenure.epoch(), true, "became leader", null, election.status().why());
    }

    @Override
    public void stoppedLeading(long epoch, Ending ending, String why) {
      note(epoch, false, "lost leadership", null, why);
    }

    @Override
    public void newLeader(Leader leader) {
      gate.leaderSeen(leader.identity(), leader.address(), leader.epoch());
      settling.settle();
      boolean self = leader.identity().equals(election.config().identity());
      note(leader.epoch(), self, "new leader", leader.identity(), null);
    }

    private void note(
        long epoch, boolean leading, String what, @Nullable String leader, @Nullable String why) {
      transitions.add(new Transition(Instant.now(), name(), epoch, leading, what, leader, why));
    }
  }
}
