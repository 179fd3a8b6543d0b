package io.portcullis.agent.node;

import io.portcullis.agent.node.ElectionView.ActivityView;
import io.portcullis.agent.node.ElectionView.HealthView;
import io.portcullis.agent.node.ElectionView.HookCount;
import io.portcullis.agent.node.ElectionView.LeadershipView;
import io.portcullis.agent.node.ElectionView.LeaseView;
import io.portcullis.agent.node.ElectionView.StoreView;
import io.portcullis.agent.node.LeadershipRequestPolicy.YieldPolicy;
import io.portcullis.agent.node.TransitionHistory.Transition;
import io.portcullis.election.ElectionListener;
import io.portcullis.election.ElectionMetrics;
import io.portcullis.election.LeaderElection;
import io.portcullis.election.Tenure;
import io.portcullis.election.backend.StorePlan;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.engine.Status;
import io.portcullis.election.machine.Leader;
import io.portcullis.election.machine.LossReason;
import io.portcullis.election.machine.RoleName;
import io.portcullis.election.machine.WithdrawalReasons.WithdrawalReason;
import io.portcullis.election.store.StoreFeatures.PreferredNode;
import io.portcullis.gate.ElectionGate;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Takes part in one election and connects it to the gate that woven code checks. */
public final class Participant implements NodeElection {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  private final String backend;
  private final ElectionGate gate;
  private final LeaderElection election;
  private final StartupGrace startupGrace;
  private final TransitionHistory transitions;
  private final Set<WithdrawalReason> reasons;
  private final YieldPolicy yieldPolicy;
  private final @Nullable LeadershipRequestPolicy requestPolicy;
  private volatile Supplier<List<HookCount>> hooks = List::of;
  private volatile @Nullable HealthResult health;

  /** The leader of the last event, unless it has lost its leadership since. */
  private final AtomicReference<@Nullable Leader> announcedLeader = new AtomicReference<>();

  /** Result of the latest health checks. */
  private record HealthResult(boolean eligible, String why) {
    static final HealthResult UNKNOWN =
        new HealthResult(false, "not eligible: no health check result yet");
  }

  /**
   * Does not participate before {@link #start()}.
   *
   * @param backend the kind of store, for display
   * @param absences why it may not campaign yet: NOT_READY until {@link #allowCampaign()},
   *     INELIGIBLE until {@link #setEligible}
   * @param priorityAfter how long a node of higher priority must have been healthy before it
   *     requests the leadership, and before this node yields to it
   */
  public Participant(
      ElectionConfig config,
      String backend,
      StorePlan plan,
      ElectionGate gate,
      StartupGrace settling,
      TransitionHistory transitions,
      Set<WithdrawalReason> absences,
      Duration priorityAfter) {
    this.backend = backend;
    this.gate = gate;
    this.startupGrace = settling;
    this.transitions = transitions;
    this.reasons = EnumSet.noneOf(WithdrawalReason.class);
    reasons.addAll(absences);
    this.yieldPolicy = new YieldPolicy(priorityAfter);
    this.requestPolicy =
        plan.carriesPriorityRequestOf(config.priority())
            ? new LeadershipRequestPolicy(priorityAfter, config.timing().lease())
            : null;
    this.health = absences.contains(WithdrawalReason.INELIGIBLE) ? HealthResult.UNKNOWN : null;
    this.election =
        new LeaderElection(config, plan.open(config), new GateAdapter(gate), Set.copyOf(absences));
    election.addListener(new TransitionRecorder());
  }

  /** Adds hooks, which are notified after the gate; must be called before {@link #start()}. */
  public void addHooks(ElectionListener listener, Supplier<List<HookCount>> counts) {
    hooks = counts;
    election.addListener(listener);
  }

  /** Adds a listener; must be called before {@link #start()}. */
  public void addListener(ElectionListener listener) {
    election.addListener(listener);
  }

  public void start() {
    election.start();
  }

  @Override
  public String name() {
    return election.config().name();
  }

  /**
   * Ends the startup grace period if the store has responded and this node may not campaign anyway.
   */
  public void endGraceIfNotCampaigning() {
    if (election.status().store().answered() && !mayCampaign()) {
      startupGrace.end();
    }
  }

  /** Lets this node campaign: the condition it waited for is met. */
  public void allowCampaign() {
    synchronized (reasons) {
      reasons.remove(WithdrawalReason.NOT_READY);
    }
    election.rejoin(WithdrawalReason.NOT_READY);
  }

  /** Stops campaigning, since the condition is no longer met; yields leadership like a drain. */
  public void forbidCampaign(String why) {
    synchronized (reasons) {
      reasons.add(WithdrawalReason.NOT_READY);
    }
    election.withdraw(WithdrawalReason.NOT_READY, election.config().timing().drain(), why);
  }

  /** Permanently excludes this node from leading: the gate is not reliable in this JVM. */
  public void neverLeadAgain() {
    endWaiting();
    election.withdraw(WithdrawalReason.UNSAFE, Duration.ZERO);
  }

  /**
   * Sets the result of a round of health checks. An ineligible node yields leadership like a drain.
   * Not thread-safe: call it from one thread at a time.
   */
  public void setEligible(boolean eligible, String why) {
    boolean was;
    synchronized (reasons) {
      was = !reasons.contains(WithdrawalReason.INELIGIBLE);
    }
    if (eligible && !was) {
      election.rejoin(WithdrawalReason.INELIGIBLE);
    } else if (!eligible && was) {
      election.withdraw(WithdrawalReason.INELIGIBLE, election.config().timing().drain(), why);
    }
    synchronized (reasons) {
      if (eligible) {
        reasons.remove(WithdrawalReason.INELIGIBLE);
      } else {
        reasons.add(WithdrawalReason.INELIGIBLE);
      }
    }
    HealthResult before = health;
    health = new HealthResult(eligible, why);
    if (eligible != was || HealthResult.UNKNOWN.equals(before)) {
      recordHealth(eligible, why);
    }
  }

  private void recordHealth(boolean eligible, String why) {
    record(eligible ? Level.INFO : Level.WARN, eligible ? "eligible" : "not eligible", why);
  }

  /** Logs and keeps a change for which the election has no event. */
  private void record(Level level, String what, String why) {
    LOG.atLevel(level)
        .log(
            "portcullis election={} node={} {} why=\"{}\"",
            name(),
            election.config().identity(),
            what,
            why);
    transitions.add(
        new Transition(Instant.now(), name(), election.epoch(), false, what, null, why));
  }

  /**
   * Records the loss of the leader, and yields to a node of higher priority or requests the
   * leadership, if that is due. Called periodically. Not thread-safe: call it from one thread at a
   * time.
   */
  public void poll(long nowNanos) {
    recordLostLeader();
    applyPriority(nowNanos);
  }

  /**
   * Adds a transition when this node no longer knows a leader, for which the election has no event
   * unless this node led itself.
   */
  private void recordLostLeader() {
    Leader announced = announcedLeader.get(); // Before the status, which is never older.
    Status status = election.status();
    if (announced != null
        && status.leadership().leader() == null
        && announcedLeader.compareAndSet(announced, null)) {
      record(Level.INFO, "no known leader", status.explanation());
    }
  }

  void applyPriority(long nowNanos) {
    yieldToPreferred(nowNanos);
    Status status = election.status();
    Leader leader = status.role() == RoleName.STANDBY ? status.leadership().leader() : null;
    Long epoch = leader == null ? null : Long.valueOf(leader.epoch());
    Duration healthyFor =
        requestPolicy == null ? null : requestPolicy.healthyDurationIfDue(epoch, nowNanos);
    if (epoch != null && healthyFor != null) {
      election.requestPriority(epoch, healthyFor);
    }
  }

  private void yieldToPreferred(long nowNanos) {
    PreferredNode preferred = election.preferred().orElse(null);
    if (preferred == null || !yieldPolicy.isDue(preferred, nowNanos)) {
      return;
    }
    String why =
        preferred.node()
            + " has a higher priority and has been well for "
            + yieldPolicy.after().toMillis() / 1e3
            + " s";
    try {
      election.stepDown(preferred.node(), why);
      yieldPolicy.recordYield(nowNanos);
    } catch (IllegalStateException e) {
      LOG.debug("portcullis does not yield to a node of higher priority: {}", e.getMessage());
    }
  }

  /** Stops all waiting for the gate, because it can't succeed or would delay the JVM's shutdown. */
  public void endWaiting() {
    startupGrace.end();
    gate.endWaiting();
  }

  @Override
  public void stepDown(Optional<String> to) {
    if (to.isEmpty()) {
      election.stepDown();
    } else {
      election.stepDown(to.get(), "handed over to " + to.get());
    }
  }

  @Override
  public void drain(Duration atMost) {
    election.withdraw(WithdrawalReason.DRAINED, atMost);
  }

  @Override
  public void resume() {
    election.rejoin(WithdrawalReason.DRAINED);
  }

  /** Shuts the gate, lets calls finish, releases the lease and stops the election. */
  public void close() {
    endWaiting();
    election.close();
  }

  @Override
  public ElectionView view() {
    ElectionMetrics metrics = election.metrics();
    Status status = election.status();
    RoleName role = metrics.role();
    boolean open;
    long own;
    do { // Otherwise this could be a successor's epoch, read after this gate had shut.
      own = gate.epoch();
      open = gate.isOpen();
    } while (gate.epoch() != own);
    if (role == RoleName.LEADER && !open) {
      role = RoleName.CANDIDATE; // No leader is known.
    }
    boolean leads = role == RoleName.LEADER;
    long epoch = leads ? own : metrics.epoch();
    HealthResult checked = health;
    Duration heartbeat = metrics.heartbeatAge();
    return new ElectionView(
        name(),
        new LeadershipView(
            role,
            metrics.leader(),
            election.leaderAddress().orElse(null),
            epoch == 0 ? null : epoch,
            Instant.ofEpochMilli(status.sinceMillis()),
            why(role, status)),
        new LeaseView(
            election.config().timing().lease().toMillis(),
            leads ? gate.leaseRemainingNanos() / 1_000_000 : 0,
            heartbeat == null ? -1 : heartbeat.toMillis(),
            status.store().stale()),
        new StoreView(
            backend,
            status.store().answered(),
            status.store().degradedReason(),
            election.members()),
        new HealthView(
            checked == null ? null : Boolean.valueOf(checked.eligible()),
            mayCampaign(),
            status.engine().failure()),
        new ActivityView(metrics.counts(), hooks.get()),
        false);
  }

  private String why(RoleName role, Status status) {
    if (!mayCampaign()) {
      return "waits until the rules it requires are armed";
    }
    HealthResult checked = health;
    return role == RoleName.INELIGIBLE && checked != null && !checked.eligible()
        ? checked.why()
        : status.explanation();
  }

  private boolean mayCampaign() {
    synchronized (reasons) {
      return !reasons.contains(WithdrawalReason.NOT_READY);
    }
  }

  /** Reports the leader to the gate and records transitions in the history. */
  private final class TransitionRecorder implements ElectionListener {
    @Override
    public void startedLeading(Tenure tenure) {
      note(tenure.epoch(), true, "became leader", null, election.status().why());
    }

    @Override
    public void stoppedLeading(long epoch, LossReason ending, String why) {
      Leader successor = election.status().leadership().leader();
      announcedLeader.set(successor != null && successor.epoch() > epoch ? successor : null);
      note(epoch, false, "lost leadership", null, why);
    }

    @Override
    public void newLeader(Leader leader) {
      gate.leaderSeen(leader.identity(), leader.address(), leader.epoch());
      startupGrace.end();
      announcedLeader.set(leader);
      boolean self = leader.identity().equals(election.config().identity());
      note(leader.epoch(), self, "new leader", leader.identity(), null);
    }

    private void note(
        long epoch, boolean leading, String what, @Nullable String leader, @Nullable String why) {
      transitions.add(new Transition(Instant.now(), name(), epoch, leading, what, leader, why));
    }
  }
}
