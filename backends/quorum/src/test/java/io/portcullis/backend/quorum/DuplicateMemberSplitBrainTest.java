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

/** One {@code self} used twice: two writers without the protection against it, one with it. */
@Tag("slow")
class DuplicateMemberSplitBrainTest {
  private static final MutatedSimulation.Origin HERE =
      new MutatedSimulation.Origin(
          DuplicateMemberScenario.class,
          List.of(QuorumNode.class, Role.class, PlantedBug.class, LoopbackPort.class),
          List.of(Path.of("src", "main", "java")));

  /** No mistake but a network that is cut; a change of the source is the way to have one here. */
  private static final Change CUT =
      change(
          "ConnectionManager",
          "SocketChannel channel = SocketChannel.open();",
          "if (io.portcullis.backend.quorum.DuplicateMemberScenario.isCut(self.peer().identity(), config.self(),"
              + " member)) { throw new IOException(\"cut\"); }"
              + " SocketChannel channel = SocketChannel.open();");

  private static final Change LETS_ANOTHER_PROCESS_IN =
      change(
          "network/LinkTable",
          "if (connected != null && !connected.identity().equals(identity)) {",
          "if (connected != null && identity.isEmpty()) {");

  private static final Change STAYS_WHERE_ANOTHER_ANSWERS =
      change("ConnectionManager", "receiver.duplicateFound(identity);", "");

  private static final int ATTEMPTS = 5;

  @TempDir private Path folder;

  @Test
  void withTheProtectionOneLeadsAtATime() throws Exception {
    MutatedSimulation world =
        new MutatedSimulation(HERE, bug("a network that is cut", CUT), folder);

    assertThat(world.failureOf(0)).isNull();
  }

  @Test
  void withoutTheProtectionTwoLeadAtOnce() throws Exception {
    PlantedBug unprotected =
        bug(
            "one member in two processes",
            CUT,
            LETS_ANOTHER_PROCESS_IN,
            STAYS_WHERE_ANOTHER_ANSWERS);

    // That it can happen is the claim; on a busy machine the two may miss each other at first.
    MutatedSimulation world = new MutatedSimulation(HERE, unprotected, folder);
    @Nullable String failure = null;
    for (int attempt = 0; attempt < ATTEMPTS && failure == null; attempt++) {
      failure = world.failureOf(attempt);
    }

    assertThat(failure).contains("were open at once");
  }
}
