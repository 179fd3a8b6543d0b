package io.portcullis.backend.quorum.sim;

import io.portcullis.election.machine.Command;
import io.portcullis.election.machine.WithdrawalReasons.WithdrawalReason;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** Strikes a world with faults and operators until it is told to stop; then puts all in order. */
final class FaultInjector {
  private static final long MILLI = 1_000_000L;
  private static final List<Integer> WEIGHTS = List.of(0, 0, 1, 1, 4);

  private final SimWorld world;
  private final WorldPlan plan;
  private final SplittableRandom random;
  private final CrashFaults deaths;
  private final PartitionFaults cuts;
  private final FaultScenarios plots;
  private final long lease;
  private final long pause;
  private final List<Runnable> strikes;
  private final boolean nervous;
  private final List<SimProcess> stopping = new ArrayList<>();

  FaultInjector(SimWorld world, WorldPlan plan) {
    this.world = world;
    this.plan = plan;
    this.random = plan.random().split();
    this.lease = plan.longestLease().toNanos();
    this.pause = lease * (1 + random.nextInt(8)) / 4;
    this.cuts = new PartitionFaults(world, random.split());
    this.deaths = new CrashFaults(world, random.split(), cuts);
    this.plots = new FaultScenarios(world, random.split(), deaths, cuts);
    this.nervous = random.nextInt(4) == 0;
    this.strikes = mixture();
    world.votes().listen(this::onVote, this::onElected);
  }

  void begin() {
    boolean someLate = random.nextInt(3) == 0;
    long spread = random.nextBoolean() ? 500 * MILLI : lease;
    for (SimMember member : world.members()) {
      boolean late = someLate && member.index() >= plan.majority() && random.nextBoolean();
      long at = random.nextLong(late ? 8 * lease : spread);
      world.at(at, () -> world.start(member));
    }
    next();
    nextCalls();
  }

  private void next() {
    world.inStorm(
        world.now() + random.nextLong(2 * pause),
        () -> {
          strike();
          next();
        });
  }

  private void nextCalls() {
    world.at(
        world.now() + random.nextLong(200 * MILLI),
        () -> {
          SimProcess open = world.gates().open();
          if (open != null && open.election() != null) {
            open.election().call(callLength());
          }
          nextCalls();
        });
  }

  /** Mostly short; some calls outlast a renewal, few the lease. */
  private long callLength() {
    return random.nextLong(random.nextInt(12) == 0 ? 3 * lease / 2 : 250 * MILLI);
  }

  /**
   * Each world has its own mixture: some faults never, some often, since two of a kind in a row are
   * worse than one of each.
   */
  private List<Runnable> mixture() {
    List<Runnable> kinds =
        List.of(
            () -> withOne(this::pauseOne),
            () -> withOne(deaths::crash),
            deaths::powerCut,
            deaths::loseDisks,
            plots::siegeSoon,
            plots::lostGeneration,
            () -> withOne(cuts::slow),
            () -> withOne(deaths::unreadable),
            () -> withOne(this::stop),
            () -> order(new Command.StepDown(plan.drain()), "step down"),
            () -> withOne(this::withdraw),
            () -> withOne(cuts::cutOffOneWay),
            () -> withOne(cuts::cutOff),
            cuts::split,
            cuts::breakLinks,
            cuts::heal,
            () -> withOne(this::fillDisk),
            () -> withOne(this::stepClock),
            this::hintAll);
    List<Runnable> mixed = new ArrayList<>();
    for (Runnable kind : kinds) {
      mixed.addAll(Collections.nCopies(WEIGHTS.get(random.nextInt(WEIGHTS.size())), kind));
    }
    return mixed.isEmpty() ? kinds : mixed;
  }

  private void strike() {
    strikes.get(random.nextInt(strikes.size())).run();
  }

  /** Elections are short: strikes that only came at random would seldom meet one. */
  private void onVote(SimProcess voter) {
    if (nervous && random.nextInt(4) == 0) {
      world.inStorm(
          world.now() + random.nextLong(20 * MILLI),
          () -> deaths.restartQuickly(voter.member(), false));
    } else if (random.nextInt(4 * plan.size()) == 0) {
      world.inStorm(world.now() + random.nextLong(30 * MILLI), this::strike);
    }
  }

  private void onElected(SimProcess leader) {
    plots.onElected(leader);
    if (random.nextInt(5) == 0) {
      world.inStorm(world.now() + random.nextLong(lease / 2), this::strike);
    }
  }

  /** Half of the time the one that leads, since that is where it hurts. */
  private void withOne(Consumer<SimProcess> what) {
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
      deaths.crash(process);
      return;
    }
    world.note(process + " is stopped");
    election.order(new Command.Stop(plan.drain()));
    long gone = world.now() + 2 * process.timing().askTimeout().toNanos() + plan.drain().toNanos();
    world.at(gone, () -> world.end(process));
    world.inStorm(gone + random.nextLong(lease / 2), () -> world.start(process.member()));
    stopping.add(process);
  }

  private void order(Command command, String what) {
    withOne(
        process -> {
          if (process.election() != null) {
            world.note(process + " is told to " + what);
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
    world.note("all are hinted");
    for (SimProcess process : world.processes()) {
      if (process.election() != null) {
        process.election().hintSoon();
      }
    }
  }

  /** All faults end; all that are up are back in the race, and a minority may be missing. */
  void end() {
    world.note("the storm is over");
    world.calm();
    stopping.forEach(world::end);
    deaths.restart();
    for (SimProcess process : world.processes()) {
      process.resume();
      if (process.election() != null) {
        process.election().order(new Command.Rejoin(WithdrawalReason.DRAINED));
        process.election().order(new Command.Rejoin(WithdrawalReason.INELIGIBLE));
        process.election().order(new Command.Rejoin(WithdrawalReason.NOT_READY));
      }
    }
  }

  /** Whoever is still missing comes too. */
  void startTheRest() {
    world.note("all start");
    world.members().forEach(world::start);
  }
}
