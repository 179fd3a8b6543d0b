package io.portcullis.election.sim;

import io.portcullis.election.machine.Command;
import io.portcullis.election.machine.Input;
import io.portcullis.election.machine.WithdrawalReasons.WithdrawalReason;
import io.portcullis.election.simulation.SimClock;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Injects faults and operator commands into a world until it is stopped; then it ends all faults.
 */
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
            injectFault();
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

  private void injectFault() {
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
      case 13 -> handOverToSuccessor();
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

  /** Selects the leader in half of the cases, since faults have the most effect there. */
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
          node.deliver(new Input.Ordered(new Command.Stop(plan.drain())));
          long gone =
              world.now()
                  + 2 * node.config().timing().askTimeout().toNanos()
                  + plan.drain().toNanos();
          world.at(gone, () -> world.leave(node));
          joinSoon();
        });
  }

  /** Steps down like a leader after a priority request, whose sender may have ended by now. */
  private void handOverToSuccessor() {
    String successor = "node-" + random.nextInt(world.nodes().size() + 1);
    order(
        new Command.StepDown(plan.drain(), successor, "was asked to"), "hand over to " + successor);
  }

  private void order(Command command, String what) {
    withOne(
        node -> {
          world.note(node + " receives command: " + what);
          node.deliver(new Input.Ordered(command));
        });
  }

  private void drainOne() {
    withOne(
        node -> {
          WithdrawalReason why =
              random.nextBoolean() ? WithdrawalReason.DRAINED : WithdrawalReason.INELIGIBLE;
          world.note(node + " withdraws: " + why);
          node.deliver(new Input.Ordered(new Command.Withdraw(why, plan.drain())));
          world.at(world.now() + random.nextLong(2 * lease), () -> rejoin(node, why));
        });
  }

  private void rejoin(SimNode node, WithdrawalReason why) {
    node.deliver(new Input.Ordered(new Command.Rejoin(why)));
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
      hintAll(); // All nodes read at once, and each node named in the old copy acts on it.
    }
    joinWorstMoment();
  }

  /**
   * A store that does not count leases can't reject newcomers after it has forgotten. So it forgets
   * only when all nodes have seen it before, and no node joins until forgotten leases have surely
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

  /** Starts a node that knows nothing when the store knows nothing either. */
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
   * Sets the wall clock of a store that counts leases forward, from a little to beyond every lease.
   * A node that has never sent it a request can't detect that, so it happens only when all nodes
   * have, and no node joins until earlier leases have surely ended.
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
    List.copyOf(world.nodes()).forEach(node -> node.deliver(new Input.Hint()));
  }

  /** Ends all faults; all nodes campaign again. */
  void end() {
    world.note("faults ended: " + world.store());
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
