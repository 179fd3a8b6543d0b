package io.portcullis.backend.quorum.sim;

import io.portcullis.election.machine.Leader;
import io.portcullis.election.simulation.CoverageMarks;
import io.portcullis.election.simulation.InvariantViolationException;
import org.jspecify.annotations.Nullable;

/**
 * One run from one seed: a storm in which nothing may go wrong, then calm in which it must work.
 */
public final class Simulation {
  private static final int STORM_LEASES = 25;
  private static final int CROWD_STORM_LEASES = 8;

  /** Messages from the storm may arrive for three leases yet, and bind voters to one gone. */
  private static final int CALM_LEASES = 9;

  private static final int STAY_LEASES = 3;

  private final long seed;
  private final WorldPlan plan;
  private final SimWorld world;

  private Simulation(long seed, boolean keepTranscript) {
    this.seed = seed;
    this.plan = new WorldPlan(seed);
    this.world = new SimWorld(plan, keepTranscript);
  }

  /** Null if all went well, else what went wrong with a readable transcript. */
  public static @Nullable String failureOf(long seed) {
    return failureOf(seed, new CoverageMarks());
  }

  static @Nullable String failureOf(long seed, CoverageMarks marks) {
    Simulation first = new Simulation(seed, false);
    String failure = first.run();
    marks.addAll(first.world.marks());
    return failure == null ? null : new Simulation(seed, true).explain();
  }

  /** The whole story of one seed. */
  static String storyOf(long seed) {
    return new Simulation(seed, true).explain();
  }

  private @Nullable String run() {
    try {
      runStormThenCalm();
      return null;
    } catch (InvariantViolationException | AssertionError broken) {
      return broken.toString();
    }
  }

  private void runStormThenCalm() {
    FaultInjector storm = new FaultInjector(world, plan);
    long lease = plan.longestLease().toNanos();
    storm.begin();
    world.runUntil((plan.isCrowd() ? CROWD_STORM_LEASES : STORM_LEASES) * lease, () -> false);

    storm.end();
    long calmSince = world.now();
    world.runUntil(calmSince + CALM_LEASES * lease, () -> world.gates().open() != null);
    world.marks().hit("calm: leader within " + (1 + (world.now() - calmSince) / lease));
    world.runUntil(calmSince + CALM_LEASES * lease, () -> false);
    SimProcess leader = world.gates().open();
    if (leader == null) {
      throw new InvariantViolationException("no leader " + CALM_LEASES + " leases after the storm");
    }
    storm.startTheRest();
    world.runUntil(world.now() + STAY_LEASES * lease, () -> world.gates().open() != leader);
    if (world.gates().open() != leader) {
      throw new InvariantViolationException(leader + " did not stay leader in calm");
    }
    world.processes().forEach(process -> checkKnows(process, leader));
  }

  private static void checkKnows(SimProcess process, SimProcess leader) {
    SimElection election = process.election();
    if (election != null) {
      Leader known = election.role().memory().leader();
      if (known == null || !known.identity().equals(leader.toString())) {
        throw new InvariantViolationException(
            process + " takes " + known + " for the leader, not " + leader);
      }
    }
  }

  private String explain() {
    String outcome = run();
    return "seed "
        + seed
        + " ("
        + plan
        + ")\n"
        + world.transcript().text()
        + "\n"
        + (outcome == null ? "all went well" : outcome)
        + "\nRun it again with -Dportcullis.sim.seed="
        + seed;
  }
}
