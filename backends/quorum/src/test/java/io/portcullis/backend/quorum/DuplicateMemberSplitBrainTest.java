package io.portcullis.backend.quorum;

import static io.portcullis.election.simulation.PlantedBug.bug;
import static io.portcullis.election.simulation.PlantedBug.change;
import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.machine.Role;
import io.portcullis.election.simulation.MutatedSimulation;
import io.portcullis.election.simulation.PlantedBug;
import io.portcullis.election.simulation.PlantedBug.Change;
import io.portcullis.servers.LoopbackPort;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that one {@code self} in two processes causes split brain only without the checks against
 * it.
 */
@Tag("slow")
class DuplicateMemberSplitBrainTest {
  private static final MutatedSimulation.Origin HERE =
      new MutatedSimulation.Origin(
          DuplicateMemberScenario.class,
          List.of(QuorumNode.class, Role.class, PlantedBug.class, LoopbackPort.class),
          List.of(Path.of("src", "main", "java")));

  /** Not a bug: cuts the network, which needs a change of the source here. */
  private static final Change CUT =
      change(
          "ConnectionManager",
          "SocketChannel channel = SocketChannel.open();",
          "if (io.portcullis.backend.quorum.DuplicateMemberScenario.isCut(self.peer().identity(), config.self(),"
              + " member)) { throw new IOException(\"cut\"); }"
              + " SocketChannel channel = SocketChannel.open();");

  private static final Change ACCEPT_ANOTHER_PROCESS =
      change(
          "network/LinkTable",
          "if (connected != null && !connected.identity().equals(identity)) {",
          "if (connected != null && identity.isEmpty()) {");

  private static final Change IGNORE_ANOTHER_PROCESS =
      change("ConnectionManager", "receiver.duplicateFound(identity);", "");

  private static final int ATTEMPTS = 5;

  @TempDir private Path folder;

  @Test
  void checkedDuplicateMemberCausesNoSplitBrain() throws Exception {
    MutatedSimulation scenario = new MutatedSimulation(HERE, bug("network partition", CUT), folder);

    assertThat(scenario.failureOf(0)).isNull();
  }

  @Test
  void uncheckedDuplicateMemberCausesSplitBrain() throws Exception {
    PlantedBug unprotected =
        bug("duplicate member not detected", CUT, ACCEPT_ANOTHER_PROCESS, IGNORE_ANOTHER_PROCESS);

    // The claim is that it can happen; on a busy machine the two may not lead at one time at first.
    MutatedSimulation scenario = new MutatedSimulation(HERE, unprotected, folder);
    @Nullable String failure = null;
    for (int attempt = 0; attempt < ATTEMPTS && failure == null; attempt++) {
      failure = scenario.failureOf(attempt);
    }

    assertThat(failure).contains("were open at once");
  }
}
