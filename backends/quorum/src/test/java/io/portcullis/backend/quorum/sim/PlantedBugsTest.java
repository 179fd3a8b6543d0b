package io.portcullis.backend.quorum.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.backend.quorum.machine.QuorumMachine;
import io.portcullis.election.machine.Role;
import io.portcullis.election.simulation.MutatedSimulation;
import io.portcullis.election.simulation.PlantedBug;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Proves that the simulation bites: each planted mistake is caught, by the seed that is on record
 * for it or within the default ones.
 */
@Tag("slow")
class PlantedBugsTest {
  private static final MutatedSimulation.Origin HERE =
      new MutatedSimulation.Origin(
          Simulation.class,
          List.of(QuorumMachine.class, Role.class, PlantedBug.class),
          List.of(
              Path.of("src", "main", "java"),
              Path.of("src", "test", "java"),
              Path.of("..", "..", "election-core", "src", "main", "java")));

  @TempDir private Path folder;

  @ParameterizedTest
  @MethodSource("bugs")
  void theSimulationCatches(PlantedBug bug) throws Exception {
    MutatedSimulation world = new MutatedSimulation(HERE, bug, folder);

    // Where it was caught last: the same seed catches it again unless the machine has changed.
    Long known = QuorumPlantedBugs.CAUGHT_BY.get(bug.name());
    OptionalLong caughtBy =
        known != null && world.failureOf(known) != null
            ? OptionalLong.of(known)
            : world.firstCatch(SimulationTest.DEFAULT_SEEDS);

    assertThat(caughtBy).as(bug.name()).isPresent();
    String failure = world.failureOf(caughtBy.getAsLong());
    assertThat(failure).contains("seed " + caughtBy.getAsLong());
    System.out.println(
        bug.name() + ": seed " + caughtBy.getAsLong() + ", " + verdict(String.valueOf(failure)));
  }

  @Test
  void withoutAMistakeTheSameHarnessFindsNothing() throws Exception {
    MutatedSimulation world =
        new MutatedSimulation(HERE, new PlantedBug("none", List.of()), folder);

    assertThat(world.firstCatch(100)).isEmpty();
  }

  private static String verdict(String failure) {
    return failure
        .lines()
        .filter(
            line -> line.contains("InvariantViolationException") || line.contains("AssertionError"))
        .findFirst()
        .orElse("?");
  }

  static List<PlantedBug> bugs() {
    return QuorumPlantedBugs.ALL;
  }
}
