package io.portcullis.election.sim;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.machine.Command;
import io.portcullis.election.machine.Effect;
import io.portcullis.election.machine.ElectionEvent;
import io.portcullis.election.machine.ElectionMachine;
import io.portcullis.election.machine.Grant;
import io.portcullis.election.machine.Input;
import io.portcullis.election.machine.Role;
import io.portcullis.election.machine.Step;
import io.portcullis.election.machine.StepContext;
import io.portcullis.election.machine.WithdrawalReasons.WithdrawalReason;
import io.portcullis.election.simulation.InvariantViolationException;
import io.portcullis.election.simulation.SimClock;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.StoreClockCheck;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** One process: a machine, its clocks, its gate and the calls that run behind it. */
final class SimNode {
  private final SimWorld world;
  private final ElectionConfig config;
  private final ElectionMachine machine;
  private final SimClock clock;
  private final SplittableRandom random;
  private final ArrayDeque<Input> waiting = new ArrayDeque<>();
  private final Set<Long> released = new HashSet<>();
  private final Map<Long, Integer> callsUnder = new HashMap<>();

  private final StoreClockCheck storeClock;

  private Role role;
  private @Nullable Grant gate;
  private long shutAt;
  private long pausedUntil;
  private boolean alive = true;
  private long wakes;
  private int calls;

  SimNode(SimWorld world, ElectionConfig config, SimClock clock, SplittableRandom random) {
    this.world = world;
    this.config = config;
    this.machine = new ElectionMachine(config);
    this.clock = clock;
    this.random = random;
    this.storeClock = new StoreClockCheck(config.timing().drift());
    boolean notReady = random.nextInt(8) == 0;
    this.role = machine.begin(notReady ? Set.of(WithdrawalReason.NOT_READY) : Set.of(), moment());
    if (notReady) {
      long soon = random.nextLong(2 * config.timing().lease().toNanos());
      Command ready = new Command.Rejoin(WithdrawalReason.NOT_READY);
      world.at(world.now() + soon, () -> deliver(new Input.Ordered(ready)));
    }
    scheduleWake();
  }

  String name() {
    return config.identity();
  }

  ElectionConfig config() {
    return config;
  }

  Role role() {
    return role;
  }

  SimClock clock() {
    return clock;
  }

  boolean isAlive() {
    return alive;
  }

  boolean isOpen() {
    return alive && gate != null && gate.liveAt(clock.nanosAt(world.now()));
  }

  long openEpoch() {
    return gate == null ? 0 : gate.epoch();
  }

  void crash() {
    alive = false;
  }

  void pauseUntil(long time) {
    pausedUntil = Math.max(pausedUntil, time);
    world.at(pausedUntil, this::catchUp);
  }

  void resume() {
    pausedUntil = world.now();
    catchUp();
  }

  boolean isPaused() {
    return world.now() < pausedUntil;
  }

  /**
   * Corrects a response like the client of a store that counts leases, before the machine receives
   * it.
   */
  LeaseResponse checked(LeaseResponse answer, long storeMillis, long sentNanos) {
    return world.store().counts()
        ? storeClock.checked(answer, storeMillis, sentNanos, clock.nanosAt(world.now()))
        : answer;
  }

  void deliver(Input input) {
    if (!alive) {
      return;
    }
    if (isPaused()) {
      waiting.add(input);
      return;
    }
    step(input);
  }

  private void catchUp() {
    while (alive && !isPaused() && !waiting.isEmpty()) {
      step(waiting.remove());
    }
  }

  private void step(Input input) {
    Role before = role;
    Step step = machine.step(role, input, moment());
    role = step.role();
    world.transcript().step(world.now(), this, input, before, step);
    world.marks().transition(before, role);
    for (Effect effect : step.effects()) {
      if (effect instanceof Effect.ShutGate) {
        gate = null;
        shutAt = world.now();
      }
    }
    for (Effect effect : step.effects()) {
      perform(effect);
    }
    scheduleWake();
  }

  private void perform(Effect effect) {
    if (effect instanceof Effect.OpenGate open) {
      openGate(open.grant());
    } else if (effect instanceof Effect.Ask ask) {
      checkRelease(ask.request());
      world.network().send(this, ask);
    } else if (effect instanceof Effect.Announce announce) {
      world.marks().event(announce.event());
      if (announce.event() instanceof ElectionEvent.StoppedLeading && isOpen()) {
        throw new InvariantViolationException(
            name() + " notified listeners before its gate was shut");
      }
    }
  }

  private void openGate(Grant grant) {
    if (released.contains(grant.epoch())) {
      throw new InvariantViolationException(
          name() + " reopened under released epoch " + grant.epoch());
    }
    gate = grant;
    world.opened(this, grant);
  }

  private void checkRelease(LeaseRequest request) {
    if (request instanceof LeaseRequest.Release release) {
      if (isOpen()) {
        throw new InvariantViolationException(name() + " released with its gate open");
      }
      released.add(release.epoch());
      long sinceShut = world.now() - shutAt;
      int running = callsUnder.getOrDefault(release.epoch(), 0);
      if (running > 0 && sinceShut < config.timing().drain().toNanos() * 9 / 10) {
        throw new InvariantViolationException(
            name() + " released with " + running + " of its calls in flight");
      }
    }
  }

  /** A call arrives; if it passes the gate it runs for a while. */
  void call(long length) {
    if (isOpen() && !isPaused()) {
      long epoch = openEpoch();
      calls++;
      callsUnder.merge(epoch, 1, Integer::sum);
      world.accepted(this, epoch);
      world.at(world.now() + length, () -> endCall(epoch));
    }
  }

  private void endCall(long epoch) {
    if (alive && isPaused()) {
      world.at(pausedUntil + 1, () -> endCall(epoch));
    } else {
      calls--;
      callsUnder.merge(epoch, -1, Integer::sum);
    }
  }

  private StepContext moment() {
    return new StepContext(clock.readAt(world.now()), random.nextDouble(), calls);
  }

  private void scheduleWake() {
    long wake = ++wakes;
    role.wakeAtNanos()
        .ifPresent(
            at -> {
              long late = random.nextInt(20) == 0 ? random.nextLong(20_000_000) : 1000;
              long due = Math.max(world.now() + 1, clock.timeOf(at)) + late;
              world.at(due, () -> onWake(wake));
            });
  }

  private void onWake(long wake) {
    if (wake == wakes) {
      deliver(new Input.Tick());
    }
  }

  @Override
  public String toString() {
    return name();
  }
}
