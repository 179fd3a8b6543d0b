package io.portcullis.election.sim;

import io.portcullis.election.machine.Command;
import io.portcullis.election.machine.Input;
import io.portcullis.election.machine.WithdrawalReasons.WithdrawalReason;
import io.portcullis.election.simulation.SimClock;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** Strikes a world with faults and operators until it is told to stop; then puts all in order. */
final class ElectionFaultInjector {
  private static final long MILLI = 1_000_000L;
  private static final List<SimStore.Restart> RESTARTS = List.of(SimStore.Restart.values());

  private final SimWorld world;
  private final SimulationScenario plan;
  private final SplittableRandom random;
  private final long lease;
  private final long pause;
  private long noJoiningUntil;
  private boolean over;

  ElectionFaultInjector(SimWorld world, SimulationScenario plan) {
    this.world = world;
    this.plan = plan;
    this.random = plan.random().split();
    this.lease = plan.longestLease().toNanos();
    this.pause = lease / (1 + random.nextInt(6));
  }

  void begin() {
    for (int i = 0; i < plan.nodes(); i++) {
      world.at(random.nextLong(lease), this::join);
    }
    next();
    nextCalls();
  }

  private void next() {
    world.at(
        world.now() + random.nextLong(2 * pause),
        () -> {
          if (!over) {
            strike();
            next();
          }
        });
  }

  private void nextCalls() {
    world.at(
        world.now() + random.nextLong(200 * MILLI),
        () -> {
          List.copyOf(world.nodes()).forEach(node -> node.call(callLength()));
          nextCalls();
        });
  }

  /** Mostly short; some calls outlast a renewal, few the lease. */
  private long callLength() {
    return random.nextLong(random.nextInt(12) == 0 ? 3 * lease / 2 : 250 * MILLI);
  }

  private void strike() {
    switch (random.nextInt(17)) {
      case 0, 1 -> pauseOne();
      case 2 -> crashOne();
      case 3 -> stopOne();
      case 4 -> order(new Command.StepDown(plan.drain()), "step down");
      case 5 -> drainOne();
      case 6 -> cutOffOne();
      case 7 -> storeDown();
      case 8, 9 -> restartStore();
      case 10 -> loseEntry();
      case 11 -> emptyStore();
      case 12 -> stepClock();
      case 13 -> giveWay();
      case 14 -> stepStoreClock();
      default -> hintAll();
    }
  }

  private void join() {
    if (world.now() < noJoiningUntil) {
      world.at(noJoiningUntil, this::join);
      return;
    }
    SimNode node =
        new SimNode(world, plan.newNode(), new SimClock(plan.drift(), random), random.split());
    world.note(node + " joins, lease " + node.config().timing().lease().toMillis() + "ms");
    world.join(node);
  }

  private void joinSoon() {
    world.at(world.now() + random.nextLong(lease / 2), this::join);
  }

  /** Half of the time the node that leads, since that is where it hurts. */
  private void withOne(Consumer<SimNode> what) {
    SimNode leader = world.leader();
    if (leader != null && random.nextBoolean()) {
      what.accept(leader);
    } else if (!world.nodes().isEmpty()) {
      what.accept(world.nodes().get(random.nextInt(world.nodes().size())));
    }
  }

  private void pauseOne() {
    withOne(
        node -> {
          long length = random.nextLong(3 * lease);
          world.note(node + " pauses for " + length / MILLI + "ms");
          node.pauseUntil(world.now() + length);
        });
  }

  private void crashOne() {
    withOne(
        node -> {
          world.note(node + " crashes");
          world.leave(node);
          joinSoon();
        });
  }

  private void stopOne() {
    withOne(
        node -> {
          world.note(node + " is stopped");
          node.tell(new Input.Ordered(new Command.Stop(plan.drain())));
          long gone =
              world.now()
                  + 2 * node.config().timing().askTimeout().toNanos()
                  + plan.drain().toNanos();
          world.at(gone, () -> world.leave(node));
          joinSoon();
        });
  }

  /** As a leader does that was asked by a node of higher priority, which may be gone by now. */
  private void giveWay() {
    String heir = "node-" + random.nextInt(world.nodes().size() + 1);
    order(new Command.StepDown(plan.drain(), heir, "was asked to"), "give way to " + heir);
  }

  private void order(Command command, String what) {
    withOne(
        node -> {
          world.note(node + " is told to " + what);
          node.tell(new Input.Ordered(command));
        });
  }

  private void drainOne() {
    withOne(
        node -> {
          WithdrawalReason why =
              random.nextBoolean() ? WithdrawalReason.DRAINED : WithdrawalReason.INELIGIBLE;
          world.note(node + " withdraws: " + why);
          node.tell(new Input.Ordered(new Command.Withdraw(why, plan.drain())));
          world.at(world.now() + random.nextLong(2 * lease), () -> rejoin(node, why));
        });
  }

  private void rejoin(SimNode node, WithdrawalReason why) {
    node.tell(new Input.Ordered(new Command.Rejoin(why)));
  }

  private void cutOffOne() {
    withOne(
        node -> {
          world.note(node + " is cut off");
          world.network().cutOff(node);
          world.at(world.now() + random.nextLong(3 * lease), () -> world.network().reconnect(node));
        });
  }

  private void storeDown() {
    world.note("the store is away");
    world.network().storeDown(true);
    world.at(world.now() + random.nextLong(2 * lease), () -> world.network().storeDown(false));
  }

  private void restartStore() {
    SimStore.Restart how = RESTARTS.get(random.nextInt(RESTARTS.size()));
    if (!world.store().counts() && how != SimStore.Restart.KEPT && !mayForget()) {
      how = SimStore.Restart.KEPT;
    }
    world.note("the store restarts: " + how);
    world.marks().hit("restart " + how);
    world.store().restart(how, world.now());
    if (random.nextBoolean()) {
      hintAll(); // Everybody looks at once, and whoever stands in an old copy acts on it.
    }
    joinWorstMoment();
  }

  /**
   * A store that does not count can't keep newcomers away after it has forgotten. So it forgets
   * only where everybody has seen it before, and nobody joins until forgotten leases have surely
   * ended.
   */
  private boolean mayForget() {
    boolean allKnowIt =
        world.nodes().stream().allMatch(node -> node.role().memory().highestEpoch() > 0);
    if (allKnowIt) {
      noJoiningUntil = world.now() + 2 * lease;
      return true;
    }
    return false;
  }

  private void loseEntry() {
    if (world.store().counts()) {
      world.note("the lease's entry is deleted: " + world.store());
      world.marks().hit("entry lost");
      world.store().loseEntry();
      joinWorstMoment();
    }
    world.store().copy();
  }

  private void emptyStore() {
    if (plan.mayBeEmptied() || mayForget()) {
      world.note("the store is emptied: " + world.store());
      world.marks().hit("store emptied");
      world.store().loseEverything();
      joinWorstMoment();
    }
  }

  /** A node that knows nothing, just when the store knows nothing either. */
  private void joinWorstMoment() {
    if (random.nextBoolean() && world.nodes().size() < 2 * plan.nodes()) {
      world.at(world.now() + random.nextLong(20 * MILLI), this::join);
    }
  }

  private void stepClock() {
    withOne(
        node -> {
          long millis = random.nextLong(-20_000, 20_000);
          world.note(node + "'s wall clock is stepped by " + millis + "ms");
          node.clock().stepWall(millis);
        });
  }

  /**
   * The wall clock of a store that counts is set forward, from a little to beyond every lease. A
   * node that has never asked it can't notice, so that it happens only where all have, and nobody
   * joins until leases from before have surely ended.
   */
  private void stepStoreClock() {
    if (world.store().counts() && mayForget()) {
      long step = random.nextLong(random.nextBoolean() ? lease / 2 : 3 * lease);
      world.note("the store's clock is set forward by " + step / MILLI + "ms");
      world.marks().hit("store's clock stepped");
      world.store().stepClock(step);
    }
  }

  private void hintAll() {
    world.store().copy();
    world.note("all are hinted");
    List.copyOf(world.nodes()).forEach(node -> node.tell(new Input.Hint()));
  }

  /** All faults end; everybody is back in the race. */
  void end() {
    world.note("the storm is over: " + world.store());
    over = true;
    world.network().calm();
    for (SimNode node : new ArrayList<>(world.nodes())) {
      node.resume();
      rejoin(node, WithdrawalReason.DRAINED);
      rejoin(node, WithdrawalReason.INELIGIBLE);
    }
    join();
  }
}
