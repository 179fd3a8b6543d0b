package io.portcullis.it.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.it.support.Artifacts;
import io.portcullis.it.support.CommandResult;
import io.portcullis.it.support.Jdks;
import io.portcullis.it.support.TestEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs the real jar's command {@code init} on real applications. */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class InitIT {
  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  private CommandResult command(String... arguments) throws IOException, InterruptedException {
    return CommandResult.run(
        stage.folder("command"),
        Map.of(),
        Stream.concat(
                Stream.of(Jdks.tool(Jdks.running(), "java"), "-jar", Artifacts.agent().toString()),
                Stream.of(arguments))
            .toList());
  }

  /** Writes a configuration and checks it with the command that a user would type next. */
  private String init(Path application, String... options)
      throws IOException, InterruptedException {
    Path conf = stage.folder("conf").resolve("agent.conf");
    CommandResult init =
        command("init", "--classpath", application.toString(), "--out", conf.toString());
    assertThat(init.exitCode()).as("%s", init).isZero();
    assertThat(init.stderr()).isEmpty();
    String text = Files.readString(conf);

    Files.writeString(conf, text.replace("mode = observe\n", "mode = enforce\n"));
    CommandResult check =
        command(
            Stream.concat(
                    Stream.of(
                        "check",
                        conf.toString(),
                        "--classpath",
                        application.toString(),
                        "--ungated"),
                    Stream.of(options))
                .toArray(String[]::new));
    assertThat(check.exitCode()).as("%s", check).isZero();
    return text + check.stdout();
  }

  @Test
  void springBootJarGetsItsRuleSetsAndPort() throws IOException, InterruptedException {
    assertThat(init(Artifacts.springBoot()))
        .contains("    http-writes\n", "    spring-scheduled\n")
        .contains("PostMapping: 2 methods", "Scheduled: 2 methods")
        .contains("eligible-when { tcp = \"localhost:8080\" }")
        .contains("spring.sql.init.mode in BOOT-INF/classes/application.properties is always");
  }

  @Test
  void shadedJarGetsARuleForItsFileWrite() throws IOException, InterruptedException {
    assertThat(init(Artifacts.demoService(), "--own", "com.acme.**"))
        .contains("{ id = ledger-append, match = \"com.acme.ledger.Ledger#append(..)\" }")
        .contains("FileTransferStore.java:")
        .doesNotContain("com.fasterxml");
  }

  @Test
  void quartzJobsAreSkippedByTheirRuleSet() throws IOException, InterruptedException {
    assertThat(init(Artifacts.jobs()))
        .contains("    quartz-jobs\n", "com.acme.jobs.ReportJob#execute(")
        .contains("WARNING: Flyway is on the class path");
  }

  @Test
  void secondRunKeepsTheFirstFile() throws IOException, InterruptedException {
    Path conf = Files.writeString(stage.folder("conf").resolve("agent.conf"), "mine");

    CommandResult init =
        command(
            "init", "--classpath", Artifacts.demoService().toString(), "--out", conf.toString());

    assertThat(init.exitCode()).as("%s", init).isEqualTo(1);
    assertThat(init.stderr()).contains("exists already and was not changed");
    assertThat(conf).hasContent("mine");
  }
}
