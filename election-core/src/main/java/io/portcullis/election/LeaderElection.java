package io.portcullis.election;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.engine.Clocks;
import io.portcullis.election.engine.ElectionCounts;
import io.portcullis.election.engine.Engine;
import io.portcullis.election.engine.GateControl;
import io.portcullis.election.engine.ListenerDispatcher;
import io.portcullis.election.engine.Status;
import io.portcullis.election.machine.Command;
import io.portcullis.election.machine.ElectionEvent;
import io.portcullis.election.machine.Leader;
import io.portcullis.election.machine.RoleName;
import io.portcullis.election.machine.WithdrawalReasons.WithdrawalReason;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.MemberInfo;
import io.portcullis.election.store.PreferredNode;
import io.portcullis.election.store.PriorityRequest;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Takes part in one election. Safe for use by any number of threads.
 *
 * <p>Continuous use: {@link #start()} it once, ask {@link #isLeader()} or {@link #requireLeader()}
 * before each piece of work, {@link #close()} it at the end. One-shot use:
 *
 * <pre>{@code
 * try (LeaderElection election = LeaderElection.once(config, store, Duration.ofSeconds(5))) {
 *   if (election.isLeader()) {
 *     writeReport();
 *   }
 * }
 * }</pre>
 */
public final class LeaderElection implements AutoCloseable {
  /** On top of draining and releasing, before {@link #close()} gives up waiting. */
  private static final Duration GRACE = Duration.ofSeconds(2);

  private final ElectionConfig config;
  private final LeaseStore store;
  private final LocalGate gate;
  private final Engine engine;
  private final ListenerDispatcher dispatcher;
  private final PriorityRequests priorityRequests;
  private final List<ElectionListener> listeners = new CopyOnWriteArrayList<>();

  /**
   * Takes part as {@code config} says, by the lease in {@code store}, which it owns from now on.
   */
  public LeaderElection(ElectionConfig config, LeaseStore store) {
    this(config, store, null, Set.of());
  }

  /**
   * The same, with a door of the caller's that opens and shuts with leadership, and with reasons
   * not to campaign yet; see {@link #rejoin}.
   */
  public LeaderElection(
      ElectionConfig config,
      LeaseStore store,
      @Nullable GateControl door,
      Set<WithdrawalReason> absences) {
    this.config = config;
    this.store = store;
    this.gate = new LocalGate(door, this::refusal);
    this.dispatcher = new ListenerDispatcher("portcullis-" + config.name() + "-listeners");
    this.engine = new Engine(config, store, gate, Clocks.ofThisMachine(), absences, this::announce);
    this.priorityRequests = new PriorityRequests(config);
    store.onPriorityRequest(wish -> priorityRequests.receive(wish, System.nanoTime()));
  }

  /**
   * Tries once: returns as soon as this node leads, another is seen to lead, or {@code patience} is
   * over. If it does not lead by then, it will not begin to.
   */
  public static LeaderElection once(
      ElectionConfig config, LeaseStore store, Duration patience, ElectionListener... listeners)
      throws InterruptedException {
    LeaderElection election = new LeaderElection(config, store);
    List.of(listeners).forEach(election::addListener);
    election.start();
    try {
      election.tryOnce(patience);
    } catch (InterruptedException e) {
      election.close();
      throw e;
    }
    return election;
  }

  private void tryOnce(Duration patience) throws InterruptedException {
    engine.await(status -> isLeader() || status.leader() != null || !status.running(), patience);
    if (!isLeader()) {
      long order = engine.order(new Command.Withdraw(WithdrawalReason.NOT_READY, Duration.ZERO));
      // A grant may be on its way: only once the order is carried out is the answer final.
      engine.await(status -> status.ordersDone() >= order || !status.running(), GRACE);
    }
  }

  /** Begins to take part. Only the first call does anything; none does after {@link #close()}. */
  public void start() {
    if (engine.start()) {
      dispatcher.start();
    }
  }

  /** Adds a listener. It hears of what happens from now on. */
  public void addListener(ElectionListener listener) {
    listeners.add(Objects.requireNonNull(listener, "listener"));
  }

  /** The election's setup. */
  public ElectionConfig config() {
    return config;
  }

  /** True if this node leads at this very moment. */
  public boolean isLeader() {
    return gate.isOpen();
  }

  /** Who leads, as far as this node knows. */
  public Optional<String> leader() {
    return Optional.ofNullable(knownLeader()).map(Leader::identity);
  }

  /** Where the leader can be reached, if one is known and said so. */
  public Optional<String> leaderAddress() {
    return Optional.ofNullable(knownLeader()).map(Leader::address);
  }

  private @Nullable Leader knownLeader() {
    Status status = engine.status();
    Long until = status.leaderUntilNanos();
    boolean current = until == null ? isLeader() : until - System.nanoTime() > 0;
    return current ? status.leader() : null;
  }

  /** The own epoch while leading, else the highest seen; 0 if none was. */
  public long epoch() {
    long own = gate.epoch();
    return own != 0 ? own : engine.status().highestEpoch();
  }

  /**
   * Lets a piece of work in, or throws {@link NotLeadingException}. Close the pass when it has
   * ended: until then stepping down, withdrawing and closing wait for it, as long as draining may
   * take.
   */
  public LeaderScope enter() {
    return gate.enter();
  }

  /**
   * Returns the present tenure, or throws {@link NotLeadingException}. Nobody waits for work that
   * is only checked by this; see {@link #enter()}.
   */
  public Tenure requireLeader() {
    Tenure tenure = gate.tenure();
    if (tenure == null || !tenure.isValid()) {
      throw refusal("this node does not lead");
    }
    return tenure;
  }

  /** Throws {@link NotLeadingException} unless this node leads under exactly this epoch. */
  public void ensureEpoch(long epoch) {
    if (!gate.isOpenUnder(epoch)) {
      long own = gate.epoch();
      throw refusal(
          "this node does not lead under epoch "
              + epoch
              + (own == 0 ? "" : " but under epoch " + own));
    }
  }

  /** The role; LEADER only while the gate is open, STANDBY only while a leader is known. */
  public RoleName role() {
    RoleName role = engine.status().role();
    return switch (role) {
      case LEADER -> isLeader() ? role : RoleName.CANDIDATE;
      case STANDBY -> knownLeader() == null ? RoleName.CANDIDATE : role;
      default -> role;
    };
  }

  /** What the engine last knew. */
  public Status status() {
    return engine.status();
  }

  /** Everything countable at this moment. */
  public ElectionMetrics metrics() {
    ElectionCounts counts = engine.status().counts();
    Long heartbeat = counts.heartbeatAtNanos();
    return new ElectionMetrics(
        role(),
        leader().orElse(null),
        epoch(),
        Duration.ofNanos(gate.remainingNanos()),
        heartbeat == null ? null : Duration.ofNanos(System.nanoTime() - heartbeat),
        counts);
  }

  /** The nodes that the store knows by name, for people; empty for most stores. */
  public List<MemberInfo> members() {
    return engine.members();
  }

  /** Waits until this node leads, or takes no part, at most so long; whether it leads. */
  public boolean awaitLeadership(Duration atMost) throws InterruptedException {
    engine.await(status -> isLeader() || !status.running(), atMost);
    return isLeader();
  }

  /** Hands over, and stays out until another leads or two leases have passed. */
  public void stepDown() {
    engine.order(new Command.StepDown(config.timing().drain()));
  }

  /**
   * Hands over to {@code to}, by the store's name for it, in the same way. Refused with a reason,
   * and the leadership kept, if this node does not lead or that one could not follow it.
   *
   * @param why what listeners and the log are told
   * @throws IllegalStateException if it is refused
   */
  public void stepDown(String to, String why) {
    String objection = isLeader() ? objectionTo(to) : "this node does not lead";
    if (objection != null) {
      throw new IllegalStateException(
          "Election '" + config.name() + "' is not handed over to '" + to + "': " + objection);
    }
    engine.order(new Command.StepDown(config.timing().drain(), to, why));
  }

  private @Nullable String objectionTo(String to) {
    boolean asked = preferred().filter(known -> known.node().equals(to)).isPresent();
    return asked ? null : store.objectionTo(to);
  }

  /** Who ranks above this node while it leads and wants to lead; empty if nobody is known to. */
  public Optional<PreferredNode> preferred() {
    long epoch = gate.epoch();
    if (epoch == 0) {
      return Optional.empty();
    }
    PreferredNode known = store.preferred();
    return Optional.ofNullable(
        known != null ? known : priorityRequests.best(epoch, System.nanoTime()));
  }

  /**
   * Lets the leader know that this node would rather lead, where the store can carry that. What
   * comes of it is up to the leader, see {@link #preferred()}. It may get lost, and a leader
   * forgets it after a lease, so say it again.
   *
   * @param epoch the tenure that this node would follow
   * @param well for how long it has been ready to, without a break
   */
  public void requestPriority(long epoch, Duration well) {
    store.sendPriorityRequest(
        new PriorityRequest(config.identity(), config.priority(), epoch, well));
  }

  /** Hands over if leading, letting calls finish for so long, and stays out for this reason. */
  public void withdraw(WithdrawalReason absence, Duration drain) {
    withdraw(absence, drain, absence.description());
  }

  /** The same, in other words. */
  public void withdraw(WithdrawalReason absence, Duration drain, String why) {
    engine.order(new Command.Withdraw(absence, drain, why));
  }

  /** The reason to stay out is gone. */
  public void rejoin(WithdrawalReason absence) {
    engine.order(new Command.Rejoin(absence));
  }

  /**
   * Shuts the gate, lets calls finish, releases the lease, tells listeners, ends. Only the first
   * call does this; any other waits for it. An interrupted wait ends early, the work goes on.
   */
  @Override
  public void close() {
    engine.stop(config.timing().drain());
    try {
      Duration bound =
          config.timing().drain().plus(config.timing().askTimeout().multipliedBy(2)).plus(GRACE);
      engine.await(status -> !status.running(), bound);
      dispatcher.finish(GRACE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private NotLeadingException refusal(String what) {
    Status status = engine.status();
    String state = status.running() ? "" : " (" + notRunning(status) + ")";
    return new NotLeadingException(config.name(), what + state, knownLeader(), epoch());
  }

  private static String notRunning(Status status) {
    return status.failure() == null
        ? "it takes no part: " + status.why()
        : "it ended by an error: " + status.failure();
  }

  /** On the engine's thread: the tenure is taken here, before anything can end it. */
  private void announce(ElectionEvent event) {
    Tenure tenure = gate.tenure();
    for (ElectionListener listener : listeners) {
      dispatcher.dispatch(() -> notifyListener(listener, event, tenure));
    }
  }

  private static void notifyListener(
      ElectionListener listener, ElectionEvent event, @Nullable Tenure tenure) {
    if (event instanceof ElectionEvent.StartedLeading && tenure != null) {
      listener.startedLeading(tenure);
    } else if (event instanceof ElectionEvent.StoppedLeading stopped) {
      listener.stoppedLeading(stopped.epoch(), stopped.reason(), stopped.why());
    } else if (event instanceof ElectionEvent.NewLeader elected) {
      listener.newLeader(elected.leader());
    }
  }

  /**
   * A piece of work that this node was let in to do, from {@link LeaderElection#enter()} to {@link
   * #close()}. Letting go of leadership waits for it, within the bounds of draining.
   */
  public static final class LeaderScope implements AutoCloseable {
    private final Runnable leave;
    private final Tenure tenure;
    private final AtomicBoolean left = new AtomicBoolean();

    LeaderScope(Tenure tenure, Runnable leave) {
      this.tenure = tenure;
      this.leave = leave;
    }

    /** The fencing epoch, to be sent along with every write. */
    public long epoch() {
      return tenure.epoch();
    }

    /** Throws {@link NotLeadingException} if the tenure under which the work began is over. */
    public void ensureValid() {
      tenure.ensureValid();
    }

    /** The work has ended. */
    @Override
    public void close() {
      if (left.compareAndSet(false, true)) {
        leave.run();
      }
    }
  }
}
