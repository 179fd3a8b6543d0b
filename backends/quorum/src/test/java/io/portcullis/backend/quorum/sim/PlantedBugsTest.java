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
 * Checks that the simulation detects each planted bug, with the seed that is recorded for it or
 * within the default seeds.
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
  void simulationDetectsPlantedBug(PlantedBug bug) throws Exception {
    MutatedSimulation simulation = new MutatedSimulation(HERE, bug, folder);

    // The recorded seed detects it again unless the state machine has changed.
    Long recordedSeed = QuorumPlantedBugs.DETECTED_BY.get(bug.name());
    OptionalLong detectedBy =
        recordedSeed != null && simulation.failureOf(recordedSeed) != null
            ? OptionalLong.of(recordedSeed)
            : simulation.firstCatch(SimulationTest.DEFAULT_SEEDS);

    assertThat(detectedBy).as(bug.name()).isPresent();
    String failure = simulation.failureOf(detectedBy.getAsLong());
    assertThat(failure).contains("seed " + detectedBy.getAsLong());
    System.out.println(
        bug.name() + ": seed " + detectedBy.getAsLong() + ", " + verdict(String.valueOf(failure)));
  }

  @Test
  void simulationWithoutPlantedBugFindsNothing() throws Exception {
    MutatedSimulation simulation =
        new MutatedSimulation(HERE, new PlantedBug("none", List.of()), folder);

    assertThat(simulation.firstCatch(100)).isEmpty();
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
