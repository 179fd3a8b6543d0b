package io.portcullis.election.sim;

import io.portcullis.election.simulation.CoverageMarks;
import io.portcullis.election.simulation.InvariantViolationException;
import org.jspecify.annotations.Nullable;

/**
 * One run from one seed: a phase with faults in which no invariant may be violated, then a phase
 * without faults in which the election must succeed.
 */
public final class Simulation {
  private static final int STORM_LEASES = 40;
  private static final int CALM_LEASES = 6;
  private static final int STAY_LEASES = 3;

  private final long seed;
  private final SimulationScenario plan;
  private final SimWorld world;

  private Simulation(long seed, boolean keepTranscript) {
    this.seed = seed;
    this.plan = new SimulationScenario(seed);
    this.world = new SimWorld(plan, keepTranscript);
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
      weather();
      return null;
    } catch (InvariantViolationException | AssertionError broken) {
      return broken.toString();
    }
  }

  private void weather() {
    ElectionFaultInjector faults = new ElectionFaultInjector(world, plan);
    long lease = plan.longestLease().toNanos();
    faults.begin();
    world.runUntil(STORM_LEASES * lease, () -> false);

    faults.end();
    world.runUntil(world.now() + CALM_LEASES * lease, () -> false);
    SimNode leader = world.leader();
    if (leader == null) {
      throw new InvariantViolationException(
          "no leader " + CALM_LEASES + " leases after the faults ended");
    }
    world.runUntil(world.now() + STAY_LEASES * lease, () -> world.leader() != leader);
    if (world.leader() != leader) {
      throw new InvariantViolationException(leader + " did not stay leader in calm");
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
