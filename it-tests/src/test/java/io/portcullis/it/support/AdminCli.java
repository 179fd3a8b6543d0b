package io.portcullis.it.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Sends admin commands by command line, like an operator. */
public final class AdminCli {
  private static final String TOKEN = "only-for-tests-and-long-enough";

  private final Path folder;

  public AdminCli(TestEnvironment stage) throws IOException {
    this.folder = stage.folder("operator");
    Files.writeString(folder.resolve("token"), TOKEN);
  }

  /** Returns the configuration with the operator's token. */
  public AgentConf withAdminToken(AgentConf conf) {
    return conf.set("http.admin-token-file", "\"" + folder.resolve("token") + "\"");
  }

  /** Runs one subcommand on these nodes. */
  public CommandResult run(String word, List<ServiceJvm> nodes, String... more)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of(Jdks.tool(Jdks.running(), "java"), "-XX:TieredStopAtLevel=1", "-jar"));
    command.addAll(List.of(Artifacts.agent().toString(), word));
    nodes.forEach(node -> command.add(node.agentUrl()));
    command.addAll(List.of(more));
    return CommandResult.run(folder, Map.of(), command);
  }

  /** Sends an admin command to a node, which must execute it. */
  public void runAdminCommand(String word, ServiceJvm node, String... more)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of("--token-file", "token"));
    words.addAll(List.of(more));
    CommandResult done = run(word, List.of(node), words.toArray(new String[0]));
    assertThat(done.exitCode()).as("%s", done).isZero();
  }

  /**
   * Drains and resumes the leader and makes its successor step down, by command line and under
   * writes; then runs the safety checks.
   */
  public void assertLeadershipMovesThereAndBack(ClusterUnderLoad trial)
      throws IOException, InterruptedException {
    ServiceJvm first = trial.awaitLeaderAfter(0);
    long epoch = first.status().epoch();

    runAdminCommand("drain", first, "--seconds", "10");
    assertThat(first.role()).isEqualTo("DRAINED");
    assertThat(first.write().refused()).isTrue();
    ServiceJvm second = trial.awaitLeaderAfter(epoch);
    assertThat(second).isNotSameAs(first);
    long next = second.status().epoch();
    CommandResult status = run("status", trial.nodes());
    assertThat(status.exitCode()).as("%s", status).isZero();
    assertThat(status.stdout()).contains(" DRAINED ");
    assertThat(
            status.stdout().lines().filter(line -> line.matches("\\S+ +\\S+ +writer +LEADER .*")))
        .hasSize(1);

    runAdminCommand("resume", first);
    first.awaitRole("STANDBY");
    runAdminCommand("step-down", second);
    ServiceJvm third = trial.awaitLeaderAfter(next);

    assertThat(third).isNotSameAs(second);
    assertThat(trial.stopAndCheck().leaders())
        .containsExactly(first.name(), second.name(), third.name());
  }
}
