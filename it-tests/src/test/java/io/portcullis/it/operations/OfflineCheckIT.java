package io.portcullis.it.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.it.support.Artifacts;
import io.portcullis.it.support.CommandResult;
import io.portcullis.it.support.Jdks;
import io.portcullis.it.support.TestEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs the real jar's command line on a real Spring Boot jar. */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class OfflineCheckIT {
  private static final String STORE =
      "{ id = store, match = \"com.acme.shop.OrderStore+#save(..)\" }";

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  private CommandResult check(String rules, String... options)
      throws IOException, InterruptedException {
    Path conf =
        Files.writeString(
            stage.folder("check").resolve("agent.conf"),
            """
            portcullis {
              service = shop
              elections { writer { backend = redis, redis.uri = "redis://127.0.0.1:1" } }
              rules = [
                %s
              ]
            }
            """
                .formatted(rules));
    List<String> command = new ArrayList<>();
    command.addAll(List.of(Jdks.tool(Jdks.running(), "java"), "-jar"));
    command.addAll(List.of(Artifacts.agent().toString(), "check", conf.toString()));
    command.addAll(List.of("--classpath", Artifacts.springBoot().toString()));
    command.addAll(List.of(options));
    return CommandResult.run(stage.folder("command"), Map.of(), command);
  }

  @Test
  void offlineCheckListsGatedMethodsOfEveryRuleKind() throws IOException, InterruptedException {
    CommandResult check =
        check(
            STORE
                + """

                { id = cron, match = "@org.springframework.scheduling.annotation.Scheduled **#*(..)", action = skip }
                { id = jdbc, match = "org.springframework.jdbc.core.JdbcTemplate#update(..)" }
                """,
            "--strict");

    assertThat(check.exitCode()).as("%s", check).isZero();
    assertThat(check.stderr()).isEmpty();
    assertThat(check.stdout())
        .containsPattern("class path: \\d+ classes in \\d+ jars and directories, .* own: 9")
        .contains("    com.acme.shop.JdbcOrderStore#save(java.lang.String)")
        .contains("    com.acme.shop.Housekeeping#sweep()", "    com.acme.shop.Housekeeping#dust()")
        .contains("    org.springframework.jdbc.core.JdbcTemplate#update(java.lang.String)");
  }

  @Test
  void offlineCheckRejectsSkipOfNonVoidMethods() throws IOException, InterruptedException {
    CommandResult check =
        check("{ id = take, match = \"com.acme.shop.OrderDesk#take(..)\", action = skip }");

    assertThat(check.exitCode()).as("%s", check).isEqualTo(78);
    assertThat(check.stderr())
        .contains("agent.conf:5: rule take: com.acme.shop.OrderDesk#take(java.lang.String)")
        .contains("only void methods can be skipped");
  }

  @Test
  void offlineCheckReportsUngatedWrites() throws IOException, InterruptedException {
    CommandResult open =
        check(
            "{ id = no, match = \"com.acme.shop.Housekeeping#sweep()\" }", "--ungated", "--strict");
    CommandResult covered = check(STORE, "--ungated", "--strict");

    assertThat(open.exitCode()).as("%s", open).isEqualTo(1);
    assertThat(open.stdout())
        .contains("not gated: com.acme.shop.JdbcOrderStore#save(java.lang.String)")
        .contains("JdbcTemplate#update(", "[spring-jdbc]", "OrderController#");
    assertThat(covered.exitCode()).as("%s", covered).isZero();
  }
}
