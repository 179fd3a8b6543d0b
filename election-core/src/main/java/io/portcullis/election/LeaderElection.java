package io.portcullis.election;

import io.portcullis.election.backend.StorePlan;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.engine.Clocks;
import io.portcullis.election.engine.ElectionCounts;
import io.portcullis.election.engine.Engine;
import io.portcullis.election.engine.GateControl;
import io.portcullis.election.engine.ListenerDispatcher;
import io.portcullis.election.engine.Status;
import io.portcullis.election.engine.Status.LeadershipState;
import io.portcullis.election.machine.Command;
import io.portcullis.election.machine.ElectionEvent;
import io.portcullis.election.machine.Leader;
import io.portcullis.election.machine.RoleName;
import io.portcullis.election.machine.WithdrawalReasons.WithdrawalReason;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.StoreFeatures.MemberDirectory;
import io.portcullis.election.store.StoreFeatures.MemberInfo;
import io.portcullis.election.store.StoreFeatures.PreferredNode;
import io.portcullis.election.store.StoreFeatures.PriorityRequest;
import io.portcullis.election.store.StoreFeatures.PriorityRequestChannel;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Participates in one election. Thread-safe.
 *
 * <p>Continuous use: build it with {@link #on(StorePlan)}, call {@link #start()} once, call {@link
 * #isLeader()} or {@link #requireLeader()} before each piece of work, and {@link #close()} at the
 * end. One-shot use:
 *
 * <pre>{@code
 * try (LeaderElection election = LeaderElection.on(lease).once(Duration.ofSeconds(5))) {
 *   if (election.isLeader()) {
 *     writeReport();
 *   }
 * }
 * }</pre>
 */
public final class LeaderElection implements AutoCloseable {
  /** Time that {@link #close()} waits in addition to draining and releasing. */
  private static final Duration GRACE = Duration.ofSeconds(2);

  private final ElectionConfig config;
  private final LocalGate gate;
  private final Engine engine;
  private final ListenerDispatcher dispatcher;
  private final PriorityRequests priorityRequests;
  private final @Nullable MemberDirectory members;
  private final @Nullable PriorityRequestChannel priorityChannel;
  private final List<ElectionListener> listeners = new CopyOnWriteArrayList<>();

  /** Participates as configured, using the lease in {@code store}. Takes ownership of the store. */
  public LeaderElection(ElectionConfig config, LeaseStore store) {
    this(config, store, null, Set.of());
  }

  /**
   * Like {@link #LeaderElection(ElectionConfig, LeaseStore)}, with a gate of the caller that opens
   * and shuts with leadership, and with initial reasons not to campaign; see {@link #rejoin}.
   */
  public LeaderElection(
      ElectionConfig config,
      LeaseStore store,
      @Nullable GateControl extraGate,
      Set<WithdrawalReason> reasons) {
    this.config = config;
    this.gate = new LocalGate(config.identity(), extraGate, this::refusal);
    this.dispatcher = new ListenerDispatcher("portcullis-" + config.name() + "-listeners");
    this.engine = new Engine(config, store, gate, Clocks.ofThisMachine(), reasons, this::announce);
    this.priorityRequests = new PriorityRequests(config);
    this.members = store.feature(MemberDirectory.class);
    this.priorityChannel = store.feature(PriorityRequestChannel.class);
    if (priorityChannel != null) {
      priorityChannel.onPriorityRequest(
          request -> priorityRequests.receive(request, System.nanoTime()));
    }
  }

  /** Builds an election on the lease of this plan, made by the builder of a store. */
  public static LeaderElectionBuilder on(StorePlan lease) {
    return new LeaderElectionBuilder(lease);
  }

  /**
   * Tries once: returns as soon as this node leads, another node is seen to lead, or {@code
   * timeout} has passed. A node that does not lead by then does not start to lead later.
   */
  public static LeaderElection once(
      ElectionConfig config, LeaseStore store, Duration timeout, ElectionListener... listeners)
      throws InterruptedException {
    LeaderElection election = new LeaderElection(config, store);
    List.of(listeners).forEach(election::addListener);
    election.tryOnce(timeout);
    return election;
  }

  /** Starts, and returns as {@link #once} does; closes this election if it is interrupted. */
  void tryOnce(Duration timeout) throws InterruptedException {
    start();
    try {
      engine.await(
          status ->
              isLeader() || status.leadership().leader() != null || !status.engine().running(),
          timeout);
      if (!isLeader()) {
        long command =
            engine.submit(new Command.Withdraw(WithdrawalReason.NOT_READY, Duration.ZERO));
        // A grant may be in flight: the result is final only once the command has been executed.
        engine.await(
            status -> status.engine().commandsDone() >= command || !status.engine().running(),
            GRACE);
      }
    } catch (InterruptedException e) {
      close();
      throw e;
    }
  }

  /** Starts to participate. Only the first call has an effect, and none after {@link #close()}. */
  public void start() {
    if (engine.start()) {
      dispatcher.start();
    }
  }

  /** Adds a listener. It receives events from now on. */
  public void addListener(ElectionListener listener) {
    listeners.add(Objects.requireNonNull(listener, "listener"));
  }

  public ElectionConfig config() {
    return config;
  }

  /** True if this node leads at this moment. */
  public boolean isLeader() {
    return gate.isOpen();
  }

  /** Identity of the leader, as far as this node knows. */
  public Optional<String> leader() {
    return Optional.ofNullable(knownLeader()).map(Leader::identity);
  }

  /** Address of the leader, if the leader is known and advertises one. */
  public Optional<String> leaderAddress() {
    return Optional.ofNullable(knownLeader()).map(Leader::address);
  }

  private @Nullable Leader knownLeader() {
    LeadershipState known = engine.status().leadership();
    Long until = known.untilNanos();
    boolean current = until == null ? isLeader() : until - System.nanoTime() > 0;
    return current ? known.leader() : null;
  }

  /** This node's epoch while it leads, else the highest seen; 0 if none. */
  public long epoch() {
    long own = gate.epoch();
    return own != 0 ? own : engine.status().leadership().highestEpoch();
  }

  /**
   * Admits a piece of work, or throws {@link NotLeadingException}. Close the scope when the work
   * has ended: until then stepping down, withdrawing and closing wait for it, up to the drain
   * timeout.
   */
  public LeaderScope enter() {
    return gate.enter();
  }

  /**
   * Returns the current tenure, or throws {@link NotLeadingException}. Draining does not wait for
   * work that is checked only with this method; see {@link #enter()}.
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

  /** Last status published by the engine. */
  public Status status() {
    return engine.status();
  }

  /** Metrics at this moment. */
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

  /** The nodes that the store knows by name, for display; empty for most stores. */
  public List<MemberInfo> members() {
    return engine.members();
  }

  /**
   * Waits until this node leads, the election ends, or {@code timeout} has passed.
   *
   * @return whether this node leads
   */
  public boolean awaitLeadership(Duration timeout) throws InterruptedException {
    engine.await(status -> isLeader() || !status.engine().running(), timeout);
    return isLeader();
  }

  /** Hands over, and stays out until another node leads or two leases have passed. */
  public void stepDown() {
    engine.submit(new Command.StepDown(config.timing().drain()));
  }

  /**
   * Hands over to node {@code to}, named as the store names it, and then stays out like {@link
   * #stepDown()}. Refused with a reason, and leadership is kept, if this node does not lead or if
   * {@code to} could not take over.
   *
   * @param why reason for listeners and the log
   * @throws IllegalStateException if it is refused
   */
  public void stepDown(String to, String why) {
    String reason = isLeader() ? reasonAgainst(to) : "this node does not lead";
    if (reason != null) {
      throw new IllegalStateException(
          "Election '" + config.name() + "' is not handed over to '" + to + "': " + reason);
    }
    engine.submit(new Command.StepDown(config.timing().drain(), to, why));
  }

  private @Nullable String reasonAgainst(String to) {
    if (preferred().filter(known -> known.node().equals(to)).isPresent()) {
      return null;
    }
    return members == null
        ? "this kind of store can't hand over to a node by name; leave the name out, and the first"
            + " node that claims the lease leads"
        : members.objectionTo(to);
  }

  /** A node of higher priority that wants to take over from this leader; empty if none is known. */
  public Optional<PreferredNode> preferred() {
    long epoch = gate.epoch();
    if (epoch == 0) {
      return Optional.empty();
    }
    PreferredNode known = members == null ? null : members.preferred();
    return Optional.ofNullable(
        known != null ? known : priorityRequests.best(epoch, System.nanoTime()));
  }

  /**
   * Sends the leader a request to hand over to this node, if the store can carry it. The leader
   * decides, see {@link #preferred()}. The request may get lost, and a leader discards it after a
   * lease, so repeat it.
   *
   * @param epoch the tenure that this node would follow
   * @param readyFor how long this node has been continuously ready to lead
   */
  public void requestPriority(long epoch, Duration readyFor) {
    if (priorityChannel != null) {
      priorityChannel.sendPriorityRequest(
          new PriorityRequest(config.identity(), config.priority(), epoch, readyFor));
    }
  }

  /**
   * Hands over if leading, waiting at most {@code drain} for calls to finish, and stays out until
   * {@link #rejoin} is called with the same reason.
   */
  public void withdraw(WithdrawalReason reason, Duration drain) {
    withdraw(reason, drain, reason.description());
  }

  /**
   * Like {@link #withdraw(WithdrawalReason, Duration)}, with a reason text for the log and the
   * status.
   */
  public void withdraw(WithdrawalReason reason, Duration drain, String why) {
    engine.submit(new Command.Withdraw(reason, drain, why));
  }

  /** Removes a reason to stay out. */
  public void rejoin(WithdrawalReason reason) {
    engine.submit(new Command.Rejoin(reason));
  }

  /**
   * Shuts the gate, waits for calls to finish, releases the lease, notifies listeners and ends.
   * Only the first call does this; any other waits for it. If the wait is interrupted it ends early
   * and the shutdown continues in the background.
   */
  @Override
  public void close() {
    engine.stop(config.timing().drain());
    try {
      Duration timeout =
          config.timing().drain().plus(config.timing().askTimeout().multipliedBy(2)).plus(GRACE);
      engine.await(status -> !status.engine().running(), timeout);
      dispatcher.finish(GRACE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private NotLeadingException refusal(String what) {
    Status status = engine.status();
    String state = status.engine().running() ? "" : " (" + notRunning(status) + ")";
    return new NotLeadingException(config.name(), what + state, knownLeader(), epoch());
  }

  private static String notRunning(Status status) {
    return status.engine().failure() == null
        ? "it takes no part: " + status.why()
        : "it ended by an error: " + status.engine().failure();
  }

  /** Runs on the engine's thread: the tenure is read here, before anything can end it. */
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
   * Admitted piece of work, from {@link LeaderElection#enter()} to {@link #close()}. Handing over
   * leadership waits for it, up to the drain timeout.
   */
  public static final class LeaderScope implements AutoCloseable {
    private final Runnable leave;
    private final Tenure tenure;
    private final AtomicBoolean left = new AtomicBoolean();

    LeaderScope(Tenure tenure, Runnable leave) {
      this.tenure = tenure;
      this.leave = leave;
    }

    /** The epoch as fencing token: send it with every write. */
    public long epoch() {
      return tenure.epoch();
    }

    /** Throws {@link NotLeadingException} if the tenure under which the work began has ended. */
    public void ensureValid() {
      tenure.ensureValid();
    }

    /** Ends the work. Idempotent. */
    @Override
    public void close() {
      if (left.compareAndSet(false, true)) {
        leave.run();
      }
    }
  }
}
