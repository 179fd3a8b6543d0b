package io.portcullis.backend.quorum.sim;

import io.portcullis.backend.quorum.machine.QuorumInput;
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
import io.portcullis.election.machine.Stopped;
import io.portcullis.election.machine.WithdrawalReasons.WithdrawalReason;
import io.portcullis.election.simulation.InvariantViolationException;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The election thread of a process: its state machine, its gate, and the calls behind the gate. */
final class SimElection {
  private static final long MILLI = 1_000_000L;

  private final SimWorld world;
  private final SimProcess process;
  private final ElectionConfig config;
  private final ElectionMachine machine;
  private final SplittableRandom random;
  private final SimTimer timer;
  private final Set<Long> released = new HashSet<>();
  private final Map<Long, Integer> callsUnder = new HashMap<>();

  private Role role;
  private @Nullable Grant gate;
  private long shutAt;
  private long lastAskAt;
  private int calls;

  SimElection(SimWorld world, SimProcess process, ElectionConfig config, SplittableRandom random) {
    this.world = world;
    this.process = process;
    this.config = config;
    this.machine = new ElectionMachine(config);
    this.random = random;
    this.timer = new SimTimer(world, process, random.split(), () -> step(new Input.Tick()));
    boolean notReady = random.nextInt(8) == 0;
    this.role =
        machine.begin(notReady ? Set.of(WithdrawalReason.NOT_READY) : Set.of(), stepContext());
    if (notReady) {
      long delay = random.nextLong(2 * config.timing().lease().toNanos());
      world.at(world.now() + delay, () -> order(new Command.Rejoin(WithdrawalReason.NOT_READY)));
    }
    timer.set(role.wakeAtNanos());
  }

  Role role() {
    return role;
  }

  String identity() {
    return config.identity();
  }

  boolean isOpen() {
    return gate != null && gate.liveAt(process.clock().nanosAt(world.now()));
  }

  long openEpoch() {
    return gate == null ? 0 : gate.epoch();
  }

  void order(Command command) {
    process.run(() -> step(new Input.Ordered(command)));
  }

  void stepDown() {
    order(new Command.StepDown(config.timing().drain()));
  }

  void deliverResponse(long id, LeaseResponse answer) {
    world.at(
        world.now() + handOverNanos(),
        () -> process.run(() -> step(new Input.Answered(id, answer))));
  }

  void deliverHint() {
    world.at(world.now() + handOverNanos(), () -> process.run(() -> step(new Input.Hint())));
  }

  /** The delay of an event between two threads, usually short. */
  private long handOverNanos() {
    return random.nextLong(random.nextInt(30) == 0 ? 100 * MILLI : MILLI / 10);
  }

  private void step(Input input) {
    Role before = role;
    Step step = machine.step(role, input, stepContext());
    role = step.role();
    world.trace().step(world.now(), process, input, before, step);
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
    timer.set(role.wakeAtNanos());
    if (role instanceof Stopped && !(before instanceof Stopped)) {
      world.at(world.now() + random.nextLong(50 * MILLI), () -> world.end(process));
    }
  }

  private void perform(Effect effect) {
    if (effect instanceof Effect.OpenGate open) {
      openGate(open.grant());
    } else if (effect instanceof Effect.Ask ask) {
      checkRelease(ask.request());
      ask(ask.sequence(), ask.request());
    } else if (effect instanceof Effect.Announce announce) {
      world.marks().event(announce.event());
      if (announce.event() instanceof ElectionEvent.StoppedLeading && isOpen()) {
        throw new InvariantViolationException(
            process + " notified listeners before its gate was shut");
      }
    }
  }

  /** Requests stay in order, since they pass through one queue. */
  private void ask(long id, LeaseRequest request) {
    lastAskAt = Math.max(lastAskAt, world.now() + handOverNanos());
    world.at(
        lastAskAt,
        () -> process.run(() -> process.voter().deliver(new QuorumInput.Asked(id, request))));
  }

  private void openGate(Grant grant) {
    if (released.contains(grant.epoch())) {
      throw new InvariantViolationException(
          process + " reopened under released epoch " + grant.epoch());
    }
    gate = grant;
    world.gates().opened(process, grant.epoch());
  }

  private void checkRelease(LeaseRequest request) {
    if (request instanceof LeaseRequest.Release release) {
      if (isOpen()) {
        throw new InvariantViolationException(process + " released with its gate open");
      }
      released.add(release.epoch());
      long sinceShut = world.now() - shutAt;
      int running = callsUnder.getOrDefault(release.epoch(), 0);
      if (running > 0 && sinceShut < config.timing().drain().toNanos() * 9 / 10) {
        throw new InvariantViolationException(
            process + " released with " + running + " of its calls in flight");
      }
    }
  }

  /** A call arrives; if it passes the gate it runs for a while. */
  void call(long length) {
    if (isOpen() && !process.isPaused()) {
      long epoch = openEpoch();
      calls++;
      callsUnder.merge(epoch, 1, Integer::sum);
      world.gates().accepted(process, epoch);
      world.at(world.now() + length, () -> process.run(() -> endCall(epoch)));
    }
  }

  private void endCall(long epoch) {
    calls--;
    callsUnder.merge(epoch, -1, Integer::sum);
  }

  private StepContext stepContext() {
    return new StepContext(process.clock().readAt(world.now()), random.nextDouble(), calls);
  }
}
