package io.portcullis.it.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.Artifacts;
import io.portcullis.it.support.CommandResult;
import io.portcullis.it.support.Jdks;
import io.portcullis.it.support.TestEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class CommandLineIT {
  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  @Test
  void versionCommandPrintsTheVersion() throws IOException, InterruptedException {
    CommandResult version = portcullis("version");

    assertThat(version.exitCode()).isZero();
    assertThat(version.stdout()).containsPattern("\\d+\\.\\d+\\.\\d+");
    assertThat(version.stderr()).isEmpty();
  }

  @Test
  void helpListsTheCommands() throws IOException, InterruptedException {
    CommandResult help = portcullis("--help");

    assertThat(help.exitCode()).isZero();
    assertThat(help.stdout()).contains("check", "version", "-javaagent");
  }

  @Test
  void unknownCommandIsAUsageError() throws IOException, InterruptedException {
    CommandResult unknown = portcullis("chekc");

    assertThat(unknown.exitCode()).isIn(2, 64);
    assertThat(unknown.stdout() + unknown.stderr()).contains("chekc", "check");
  }

  @Test
  void checkCommandAcceptsAValidConfig() throws IOException, InterruptedException {
    Path conf = conf(AgentConf.ledger("redis://127.0.0.1:1", Duration.ofSeconds(3)).text());

    CommandResult check = portcullis("check", conf.toString());

    assertThat(check.exitCode()).as("%s", check).isZero();
  }

  @Test
  void checkCommandRejectsAnInvalidConfig() throws IOException, InterruptedException {
    Path conf =
        conf(
            AgentConf.ledger("redis://127.0.0.1:1", Duration.ofSeconds(3))
                .set("servise", "x")
                .text());

    CommandResult check = portcullis("check", conf.toString());

    assertThat(check.exitCode()).isEqualTo(78);
    assertThat(check.stdout() + check.stderr()).containsPattern("agent\\.conf:\\d+: .*servise");
  }

  private Path conf(String text) throws IOException {
    return Files.writeString(stage.folder("check").resolve("agent.conf"), text);
  }

  private CommandResult portcullis(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of(Jdks.tool(Jdks.running(), "java"), "-jar"));
    command.add(Artifacts.agent().toString());
    command.addAll(List.of(words));
    return CommandResult.run(stage.folder("command"), Map.of(), command);
  }
}
