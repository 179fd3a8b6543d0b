package io.portcullis.backend.quorum.sim;

import io.portcullis.election.machine.Command;
import io.portcullis.election.machine.WithdrawalReasons.WithdrawalReason;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** Injects faults and operator commands until stopped, then heals everything. */
final class FaultInjector {
  private static final long MILLI = 1_000_000L;
  private static final List<Integer> WEIGHTS = List.of(0, 0, 1, 1, 4);

  private final SimWorld world;
  private final WorldPlan plan;
  private final SplittableRandom random;
  private final CrashFaults crashes;
  private final PartitionFaults partitions;
  private final FaultScenarios scenarios;
  private final long lease;
  private final long pause;
  private final List<Runnable> faults;
  private final boolean restartsVoters;
  private final List<SimProcess> stopping = new ArrayList<>();

  FaultInjector(SimWorld world, WorldPlan plan) {
    this.world = world;
    this.plan = plan;
    this.random = plan.random().split();
    this.lease = plan.longestLease().toNanos();
    this.pause = lease * (1 + random.nextInt(8)) / 4;
    this.partitions = new PartitionFaults(world, random.split());
    this.crashes = new CrashFaults(world, random.split(), partitions);
    this.scenarios = new FaultScenarios(world, random.split(), crashes, partitions);
    this.restartsVoters = random.nextInt(4) == 0;
    this.faults = selectFaults();
    world.votes().listen(this::onVote, this::onElected);
  }

  void begin() {
    boolean someStartLate = random.nextInt(3) == 0;
    long spread = random.nextBoolean() ? 500 * MILLI : lease;
    for (SimMember member : world.members()) {
      boolean late = someStartLate && member.index() >= plan.majority() && random.nextBoolean();
      long at = random.nextLong(late ? 8 * lease : spread);
      world.at(at, () -> world.start(member));
    }
    scheduleFault();
    scheduleCalls();
  }

  private void scheduleFault() {
    world.ifFaultsActive(
        world.now() + random.nextLong(2 * pause),
        () -> {
          injectFault();
          scheduleFault();
        });
  }

  private void scheduleCalls() {
    world.at(
        world.now() + random.nextLong(200 * MILLI),
        () -> {
          SimProcess open = world.gates().open();
          if (open != null && open.election() != null) {
            open.election().call(callLength());
          }
          scheduleCalls();
        });
  }

  /** Mostly short; some calls outlast a renewal, few the lease. */
  private long callLength() {
    return random.nextLong(random.nextInt(12) == 0 ? 3 * lease / 2 : 250 * MILLI);
  }

  /**
   * Selects the faults of this seed: some never, some often, since two faults of the same kind in a
   * row find more than one of each.
   */
  private List<Runnable> selectFaults() {
    List<Runnable> kinds =
        List.of(
            () -> withOneProcess(this::pauseOne),
            () -> withOneProcess(crashes::crash),
            crashes::powerCut,
            crashes::loseDisks,
            scenarios::restartSupportersSoon,
            scenarios::loseVoters,
            () -> withOneProcess(partitions::slow),
            () -> withOneProcess(crashes::makeBallotUnreadable),
            () -> withOneProcess(this::stop),
            () -> order(new Command.StepDown(plan.drain()), "step down"),
            () -> withOneProcess(this::withdraw),
            () -> withOneProcess(partitions::isolateOneWay),
            () -> withOneProcess(partitions::isolate),
            partitions::split,
            partitions::breakConnections,
            partitions::heal,
            () -> withOneProcess(this::fillDisk),
            () -> withOneProcess(this::stepClock),
            this::hintAll);
    List<Runnable> selected = new ArrayList<>();
    for (Runnable kind : kinds) {
      selected.addAll(Collections.nCopies(WEIGHTS.get(random.nextInt(WEIGHTS.size())), kind));
    }
    return selected.isEmpty() ? kinds : selected;
  }

  private void injectFault() {
    faults.get(random.nextInt(faults.size())).run();
  }

  /** Injects faults during elections, which are too short to be hit often at random. */
  private void onVote(SimProcess voter) {
    if (restartsVoters && random.nextInt(4) == 0) {
      world.ifFaultsActive(
          world.now() + random.nextLong(20 * MILLI),
          () -> crashes.restartQuickly(voter.member(), false));
    } else if (random.nextInt(4 * plan.size()) == 0) {
      world.ifFaultsActive(world.now() + random.nextLong(30 * MILLI), this::injectFault);
    }
  }

  private void onElected(SimProcess leader) {
    scenarios.onElected(leader);
    if (random.nextInt(5) == 0) {
      world.ifFaultsActive(world.now() + random.nextLong(lease / 2), this::injectFault);
    }
  }

  /** Selects the leader in half of the cases, since faults have the most effect there. */
  private void withOneProcess(Consumer<SimProcess> what) {
    SimProcess leader = world.gates().open();
    List<SimProcess> all = world.processes();
    if (leader != null && random.nextBoolean()) {
      what.accept(leader);
    } else if (!all.isEmpty()) {
      what.accept(all.get(random.nextInt(all.size())));
    }
  }

  private void pauseOne(SimProcess process) {
    long length = random.nextLong(3 * lease);
    world.note(process + " pauses for " + length / MILLI + "ms");
    process.pauseUntil(world.now() + length);
  }

  private void stop(SimProcess process) {
    SimElection election = process.election();
    if (election == null) {
      crashes.crash(process);
      return;
    }
    world.note(process + " is stopped");
    election.order(new Command.Stop(plan.drain()));
    long gone = world.now() + 2 * process.timing().askTimeout().toNanos() + plan.drain().toNanos();
    world.at(gone, () -> world.end(process));
    world.ifFaultsActive(gone + random.nextLong(lease / 2), () -> world.start(process.member()));
    stopping.add(process);
  }

  private void order(Command command, String what) {
    withOneProcess(
        process -> {
          if (process.election() != null) {
            world.note(process + " is ordered to " + what);
            process.election().order(command);
          }
        });
  }

  private void withdraw(SimProcess process) {
    SimElection election = process.election();
    if (election != null) {
      WithdrawalReason why =
          random.nextBoolean() ? WithdrawalReason.DRAINED : WithdrawalReason.INELIGIBLE;
      world.note(process + " withdraws: " + why);
      election.order(new Command.Withdraw(why, plan.drain()));
      world.at(
          world.now() + random.nextLong(2 * lease), () -> election.order(new Command.Rejoin(why)));
    }
  }

  private void fillDisk(SimProcess process) {
    SimDisk disk = process.member().disk();
    world.note(process + "'s disk is full");
    disk.setFull(true);
    world.at(world.now() + random.nextLong(2 * lease), () -> disk.setFull(false));
  }

  private void stepClock(SimProcess process) {
    long millis = random.nextLong(-20_000, 20_000);
    world.note(process + "'s wall clock is stepped by " + millis + "ms");
    process.clock().stepWall(millis);
  }

  private void hintAll() {
    world.note("all receive a hint");
    for (SimProcess process : world.processes()) {
      if (process.election() != null) {
        process.election().deliverHint();
      }
    }
  }

  /** Ends all faults; all running members campaign again, and a minority may be missing. */
  void end() {
    world.note("faults ended");
    world.endFaults();
    stopping.forEach(world::end);
    crashes.restart();
    for (SimProcess process : world.processes()) {
      process.resume();
      if (process.election() != null) {
        process.election().order(new Command.Rejoin(WithdrawalReason.DRAINED));
        process.election().order(new Command.Rejoin(WithdrawalReason.INELIGIBLE));
        process.election().order(new Command.Rejoin(WithdrawalReason.NOT_READY));
      }
    }
  }

  /** Starts the members that are still missing. */
  void startTheRest() {
    world.note("all start");
    world.members().forEach(world::start);
  }
}
