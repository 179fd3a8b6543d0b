package io.portcullis.it.coexistence;

import static org.assertj.core.api.Assertions.assertThat;

import com.acme.app.EagerService;
import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.Artifacts;
import io.portcullis.it.support.CommandResult;
import io.portcullis.it.support.Jdks;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** JAVA_TOOL_OPTIONS reaches every JVM of a container, but only one is the service. */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class IgnoredJvmIT {
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final String ELSEWHERE = "com.acme.Elsewhere";

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  /** The configuration does not exist: an active agent would stop the JVM. */
  @ParameterizedTest
  @MethodSource("tools")
  void agentIsInactiveAndSilentInJdkTools(Path jdk, List<String> words)
      throws IOException, InterruptedException {
    CommandResult command =
        CommandResult.run(
            stage.folder("tool"),
            Map.of("JAVA_TOOL_OPTIONS", "-javaagent:" + Artifacts.agent() + "=/no/such.conf"),
            Stream.concat(Stream.of(Jdks.tool(jdk, words.get(0))), words.stream().skip(1))
                .toList());

    assertThat(command.exitCode()).as("%s", command).isZero();
    assertThat(command.stderr().lines())
        .filteredOn(line -> !line.startsWith("Picked up JAVA_TOOL_OPTIONS:"))
        .filteredOn(line -> line.contains("portcullis") || line.contains("WARNING"))
        .isEmpty();
  }

  static Stream<Arguments> tools() {
    List<List<String>> commands =
        List.of(
            List.of("javac", "-version"),
            List.of("jcmd", "-l"),
            List.of("keytool", "-help"),
            List.of("java", "-jar", Artifacts.agent().toString(), "version"));
    return Jdks.all().flatMap(jdk -> commands.stream().map(words -> Arguments.of(jdk, words)));
  }

  @Test
  void agentIsActiveInAServiceWithTheSameOption() throws IOException, InterruptedException {
    CommandResult command =
        CommandResult.run(
            stage.folder("service"),
            Map.of("JAVA_TOOL_OPTIONS", "-javaagent:" + Artifacts.agent() + "=/no/such.conf"),
            List.of(Jdks.tool(Jdks.running(), "java"), "-jar", Artifacts.demoService().toString()));

    assertThat(command.exitCode()).isEqualTo(78);
    assertThat(command.stderr()).contains("/no/such.conf");
  }

  @Test
  void agentIsInactiveForAnotherMainClass() throws IOException {
    ServiceJvm meant = start(EagerService.class.getName());
    ServiceJvm notMeant = start(ELSEWHERE);

    meant.awaitLog("first call: refused");
    notMeant.awaitLog("first call: done");
    assertThat(notMeant.output().stderr()).isEmpty();
  }

  private ServiceJvm start(String onlyMainClass) throws IOException {
    AgentConf conf =
        AgentConf.redis("redis://127.0.0.1:1", LEASE)
            .rule("{ id = work, match = \"com.acme.app.EagerService#work()\" }")
            .set("elections.writer.settle", "100ms")
            .set("only-main-class", onlyMainClass);
    return stage.start("main", JvmLauncher.application(EagerService.class.getName()).conf(conf));
  }
}
