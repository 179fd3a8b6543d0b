package io.portcullis.election.sim;

import static org.assertj.core.api.Assertions.assertThat;

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
 * Proves that the simulation detects bugs: each planted bug is detected within the default seeds.
 */
@Tag("slow")
class PlantedBugsTest {
  private static final MutatedSimulation.Origin HERE =
      new MutatedSimulation.Origin(
          Simulation.class,
          List.of(Role.class),
          List.of(Path.of("src", "main", "java"), Path.of("src", "test", "java")));

  @TempDir private Path folder;

  @ParameterizedTest
  @MethodSource("bugs")
  void simulationDetectsPlantedBug(PlantedBug bug) throws Exception {
    MutatedSimulation world = new MutatedSimulation(HERE, bug, folder);

    OptionalLong caughtBy = world.firstCatch(SimulationTest.DEFAULT_SEEDS);

    assertThat(caughtBy).as(bug.name()).isPresent();
    String failure = world.failureOf(caughtBy.getAsLong());
    assertThat(failure).contains("seed " + caughtBy.getAsLong());
    System.out.println(
        bug.name() + ": seed " + caughtBy.getAsLong() + ", " + verdict(String.valueOf(failure)));
  }

  @Test
  void simulationWithoutPlantedBugFindsNothing() throws Exception {
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
    return ElectionPlantedBugs.ALL;
  }
}
