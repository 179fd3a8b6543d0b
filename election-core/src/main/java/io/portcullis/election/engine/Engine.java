package io.portcullis.election.engine;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.engine.Status.EngineState;
import io.portcullis.election.engine.Status.LeadershipState;
import io.portcullis.election.engine.Status.StoreState;
import io.portcullis.election.engine.TransitionLog.LogSuffix;
import io.portcullis.election.machine.Command;
import io.portcullis.election.machine.Draining;
import io.portcullis.election.machine.Effect;
import io.portcullis.election.machine.ElectionEvent;
import io.portcullis.election.machine.ElectionMachine;
import io.portcullis.election.machine.Inactive;
import io.portcullis.election.machine.Input;
import io.portcullis.election.machine.Leader;
import io.portcullis.election.machine.Leading;
import io.portcullis.election.machine.LossReason;
import io.portcullis.election.machine.ObservedRecord;
import io.portcullis.election.machine.Role;
import io.portcullis.election.machine.RoleName;
import io.portcullis.election.machine.Step;
import io.portcullis.election.machine.StepContext;
import io.portcullis.election.machine.StepContext.ClockReading;
import io.portcullis.election.machine.Stopped;
import io.portcullis.election.machine.WithdrawalReasons.WithdrawalReason;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.StoreFeatures.MemberInfo;
import io.portcullis.election.threads.DaemonThreads;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one election on its own thread. Only this thread accesses the machine's role; other threads
 * send it inputs or read the status it publishes.
 */
public final class Engine {
  private enum EnginePhase {
    NEW,
    STARTED,
    STOPPING,
    ENDED
  }

  private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

  /** Maximum time between steps; bounds how late a host that was suspended is noticed. */
  private static final long MAX_IDLE_NANOS = 250_000_000;

  private final ElectionConfig config;
  private final ElectionMachine machine;
  private final LeaseStore store;
  private final GateControl gate;
  private final Clocks clocks;
  private final Consumer<ElectionEvent> listener;
  private final InputQueue inbox = new InputQueue();
  private final StatusPublisher statusPublisher;
  private final Thread thread;

  private final LogSuffix logSuffix;
  private final OptionalStoreFeatures storeFeatures;
  private final TransitionLog log;
  private final EngineStats stats;
  private final StoreAvailability storeAvailability;
  private final HeartbeatMonitor heartbeatMonitor;
  private final GrantDelayMonitor grantDelayMonitor;

  private EnginePhase phase = EnginePhase.NEW;
  private long commandsSent;
  private Role role;
  private String why = "not started";
  private long commandsDone;
  private boolean answered;
  private RoleName shownRole = RoleName.OFF;
  private long sinceMillis;

  /**
   * Creates an engine that has not started. It owns the store from now on, and closes it at its
   * end.
   */
  public Engine(
      ElectionConfig config,
      LeaseStore store,
      GateControl gate,
      Clocks clocks,
      Set<WithdrawalReason> absences,
      Consumer<ElectionEvent> listener) {
    this.config = Objects.requireNonNull(config, "config");
    this.machine = new ElectionMachine(config);
    this.store = Objects.requireNonNull(store, "store");
    this.gate = gate;
    this.clocks = clocks;
    this.listener = listener;
    ClockReading now = clocks.read();
    this.role = machine.begin(absences, new StepContext(now, 0, 0));
    this.stats = new EngineStats(now.nanos());
    this.logSuffix = LogSuffix.of(store, config.name());
    this.storeFeatures = new OptionalStoreFeatures(store, config.name(), logSuffix);
    this.log = new TransitionLog(config, logSuffix);
    this.storeAvailability =
        new StoreAvailability(config, logSuffix, storeFeatures::outage, now.nanos());
    this.heartbeatMonitor = new HeartbeatMonitor(config, logSuffix);
    this.grantDelayMonitor = new GrantDelayMonitor(config, logSuffix);
    this.sinceMillis = now.wallMillis();
    this.statusPublisher = new StatusPublisher(Status.notStarted(sinceMillis, why));
    this.thread = DaemonThreads.unstarted("portcullis-" + config.name(), this::run);
  }

  /**
   * Starts the engine. It starts at most once, and not after its end.
   *
   * @return whether this call started it
   */
  public synchronized boolean start() {
    if (phase != EnginePhase.NEW) {
      return false;
    }
    phase = EnginePhase.STARTED;
    why = "started";
    publish(true, null);
    thread.start();
    return true;
  }

  /**
   * Sends the command to hand over and end. Does not wait, see {@link #await}; later calls have no
   * effect.
   */
  public synchronized void stop(Duration drain) {
    if (phase == EnginePhase.NEW) {
      phase = EnginePhase.ENDED;
      why = "closed";
      publish(false, null);
      closeStore();
    } else if (phase == EnginePhase.STARTED) {
      submit(new Command.Stop(drain));
      phase = EnginePhase.STOPPING;
    }
  }

  /**
   * Sends a command to the machine. After the engine's end commands are ignored.
   *
   * @return its number: it has been executed once {@link EngineState#commandsDone} has reached it
   */
  public synchronized long submit(Command command) {
    if (phase == EnginePhase.ENDED) {
      return commandsSent;
    }
    if (!inbox.offer(new Input.Ordered(command))) {
      throw new IllegalStateException("too many commands queued for election " + config.name());
    }
    commandsSent++;
    return commandsSent;
  }

  public Status status() {
    return statusPublisher.now();
  }

  /**
   * Waits for a matching status, at most {@code atMost}.
   *
   * @return the last status seen, matching or not
   */
  public Status await(Predicate<Status> fits, Duration atMost) throws InterruptedException {
    return statusPublisher.await(fits, atMost);
  }

  private void run() {
    Throwable failure = null;
    try {
      storeFeatures.listen(inbox::hint, this::receivePushed);
      while (!(role instanceof Stopped)) {
        step(inbox.take(untilNextWake()));
      }
    } catch (Throwable e) { // Last resort of the thread: shut the gate on any error.
      failure = e;
      LOG.error("election={} ended by a bug; restart the node{}", config.name(), logSuffix, e);
    } finally {
      end(failure);
    }
  }

  private void end(@Nullable Throwable failure) {
    try {
      gate.shut();
      gate.abandonCalls();
    } finally {
      endPhase();
      try {
        if (failure != null && role instanceof Leading leading) {
          endTenure(leading.grant().epoch(), failure);
        }
      } finally {
        publish(false, failure);
        closeStore();
      }
    }
  }

  private synchronized void endPhase() {
    phase = EnginePhase.ENDED;
  }

  private void endTenure(long epoch, Throwable failure) {
    why = "the engine failed: " + failure;
    ElectionEvent event = new ElectionEvent.StoppedLeading(epoch, LossReason.FAILED, why);
    stats.lost(LossReason.FAILED);
    log.write(RoleName.LEADER, RoleName.OFF, event);
    listener.accept(event);
  }

  private void receivePushed(LeaseRecord record) {
    if (!inbox.offer(new Input.RecordPushed(record))) {
      inbox.hint();
    }
  }

  private long untilNextWake() {
    long now = clocks.read().nanos();
    long wake = role.wakeAtNanos().orElse(now + MAX_IDLE_NANOS);
    return Math.min(wake - now, MAX_IDLE_NANOS);
  }

  private void step(Input input) {
    double chance = ThreadLocalRandom.current().nextDouble();
    // Once the gate is shut the count only falls, so a value read early may be too high, never too
    // low.
    long calls = gate.callsInFlight();
    StepContext now = new StepContext(clocks.read(), chance, calls);
    Role before = role;
    Step step = machine.step(role, input, now);
    role = step.role();
    if (step.effects().stream().anyMatch(Effect.ShutGate.class::isInstance)) {
      gate.shut();
    }
    if (allowsCallsInFlight(before) && !allowsCallsInFlight(role)) {
      gate.abandonCalls();
    }
    if (input instanceof Input.Answered got) {
      storeAvailability.onAnswer(got.sequence(), got.answer(), now.nanos());
      // The machine ignores a late response, so a late response does not make the node ready.
      boolean isInTime = ElectionMachine.awaited(before, got, now) != null;
      answered |= isInTime && !(got.answer() instanceof LeaseResponse.Unknown);
    }
    answered |= input instanceof Input.RecordPushed;
    commandsDone += input instanceof Input.Ordered ? 1 : 0;
    stats.watch(before, input, step, now);
    why = StatusReason.after(why, before, input, step);
    if (before instanceof Inactive && !(role instanceof Inactive || role instanceof Stopped)) {
      why = "takes part again";
    }
    for (Effect effect : step.effects()) {
      perform(effect);
    }
    heartbeatMonitor.look(
        role instanceof Leading, role.memory(), stats.heartbeatAtNanos(), now.nanos());
    grantDelayMonitor.look(role.memory().leader() != null, storeFeatures.grantDelay());
    publish(true, null);
    notifyListeners(before.name(), step.effects());
  }

  /** Whether calls in flight may continue: until the lease is lost or draining is over. */
  private static boolean allowsCallsInFlight(Role role) {
    return role instanceof Leading || role instanceof Draining;
  }

  private void perform(Effect effect) {
    if (effect instanceof Effect.OpenGate open) {
      gate.open(open.grant());
    } else if (effect instanceof Effect.Ask ask) {
      ask(ask.sequence(), ask.request());
    }
  }

  private void ask(long sequence, LeaseRequest request) {
    storeAvailability.onAsk(sequence, clocks.read().nanos());
    try {
      store
          .ask(request)
          .whenComplete(
              (answer, failure) ->
                  inbox.offer(new Input.Answered(sequence, orUnknown(answer, failure))));
    } catch (RuntimeException | LinkageError | AssertionError e) {
      inbox.offer(new Input.Answered(sequence, orUnknown(null, e)));
    }
  }

  private static LeaseResponse orUnknown(
      @Nullable LeaseResponse answer, @Nullable Throwable failure) {
    return failure == null && answer != null
        ? answer
        : new LeaseResponse.Unknown(String.valueOf(failure));
  }

  /** Notifies listeners. Runs after gate and status have been updated. */
  private void notifyListeners(RoleName before, List<Effect> effects) {
    for (Effect effect : effects) {
      if (effect instanceof Effect.Announce announce) {
        log.write(before, role.name(), announce.event());
        listener.accept(announce.event());
      }
    }
  }

  private void publish(boolean running, @Nullable Throwable failure) {
    ObservedRecord observed = role.memory().observed();
    Leader leader = role.memory().leader();
    boolean other = leader != null && !leader.identity().equals(config.identity());
    Long until = other && observed != null ? Long.valueOf(observed.endsAtNanos()) : null;
    RoleName name = running ? shownName(until) : RoleName.OFF;
    if (name != shownRole) {
      notifyStore(name);
      shownRole = name;
      sinceMillis = clocks.read().wallMillis();
    }
    statusPublisher.publish(
        new Status(
            name,
            sinceMillis,
            why,
            new LeadershipState(leader, until, role.memory().highestEpoch()),
            new StoreState(
                storeAvailability.problem(),
                storeFeatures.degradedReason(),
                running ? grantDelayMonitor.sentence() : null,
                running && heartbeatMonitor.isStale(),
                answered),
            new EngineState(running, commandsDone, failure),
            stats.counts(storeFeatures.counts())));
  }

  /**
   * The role to publish. A standby that has lost contact with both the leader and the store is
   * shown as a candidate, since it wants to lead. While the store responds, the role itself changes
   * with the next response.
   */
  private RoleName shownName(@Nullable Long leaderUntilNanos) {
    boolean lostContact =
        storeAvailability.problem() != null
            && leaderUntilNanos != null
            && clocks.read().nanos() - leaderUntilNanos >= 0;
    return lostContact && role.name() == RoleName.STANDBY ? RoleName.CANDIDATE : role.name();
  }

  private void notifyStore(RoleName name) {
    boolean leads = name == RoleName.LEADER;
    if (leads != (shownRole == RoleName.LEADER)) {
      storeFeatures.leadershipChanged(leads);
    }
  }

  /** The nodes that the store knows by name. */
  public List<MemberInfo> members() {
    return storeFeatures.members();
  }

  private void closeStore() {
    try {
      store.close();
    } catch (RuntimeException e) {
      LOG.warn("election={} could not close its store{}", config.name(), logSuffix, e);
    }
  }
}
