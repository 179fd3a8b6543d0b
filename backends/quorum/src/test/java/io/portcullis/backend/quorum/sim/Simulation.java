package io.portcullis.backend.quorum.sim;

import io.portcullis.election.machine.Leader;
import io.portcullis.election.simulation.CoverageMarks;
import io.portcullis.election.simulation.InvariantViolationException;
import org.jspecify.annotations.Nullable;

/**
 * One run from one seed: a phase with faults in which no invariant may be violated, then a phase
 * without faults in which the election must succeed.
 */
public final class Simulation {
  private static final int FAULT_LEASES = 25;
  private static final int LARGE_CLUSTER_FAULT_LEASES = 8;

  /** Delayed messages may arrive for three more leases, and bind voters to an ended process. */
  private static final int FAULTLESS_LEASES = 9;

  private static final int STAY_LEASES = 3;

  private final long seed;
  private final WorldPlan plan;
  private final SimWorld world;

  private Simulation(long seed, boolean keepTrace) {
    this.seed = seed;
    this.plan = new WorldPlan(seed);
    this.world = new SimWorld(plan, keepTrace);
  }

  /** Null if the run succeeded, else the failure with a readable trace. */
  public static @Nullable String failureOf(long seed) {
    return failureOf(seed, new CoverageMarks());
  }

  static @Nullable String failureOf(long seed, CoverageMarks marks) {
    Simulation first = new Simulation(seed, false);
    String failure = first.run();
    marks.addAll(first.world.marks());
    return failure == null ? null : new Simulation(seed, true).explain();
  }

  /** The complete trace of one seed. */
  static String traceOf(long seed) {
    return new Simulation(seed, true).explain();
  }

  private @Nullable String run() {
    try {
      runFaultsThenRecovery();
      return null;
    } catch (InvariantViolationException | AssertionError broken) {
      return broken.toString();
    }
  }

  private void runFaultsThenRecovery() {
    FaultInjector faults = new FaultInjector(world, plan);
    long lease = plan.longestLease().toNanos();
    faults.begin();
    world.runUntil(
        (plan.isLargeCluster() ? LARGE_CLUSTER_FAULT_LEASES : FAULT_LEASES) * lease, () -> false);

    faults.end();
    long faultsEndedAt = world.now();
    world.runUntil(faultsEndedAt + FAULTLESS_LEASES * lease, () -> world.gates().open() != null);
    world
        .marks()
        .hit(
            "leases without faults until a leader: " + (1 + (world.now() - faultsEndedAt) / lease));
    world.runUntil(faultsEndedAt + FAULTLESS_LEASES * lease, () -> false);
    SimProcess leader = world.gates().open();
    if (leader == null) {
      throw new InvariantViolationException(
          "no leader " + FAULTLESS_LEASES + " leases after the faults ended");
    }
    faults.startTheRest();
    world.runUntil(world.now() + STAY_LEASES * lease, () -> world.gates().open() != leader);
    if (world.gates().open() != leader) {
      throw new InvariantViolationException(leader + " did not stay leader without faults");
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
        + world.trace().text()
        + "\n"
        + (outcome == null ? "all went well" : outcome)
        + "\nRun it again with -Dportcullis.sim.seed="
        + seed;
  }
}
