package io.portcullis.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options of {@code ./demo} that are handled without building anything. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class DemoScriptTest {

  @Test
  void helpPrintsTheUsageAndSucceeds() throws Exception {
    ScriptResult ran = demo("--help");

    assertThat(ran.code()).isZero();
    assertThat(ran.output()).startsWith(DemoOptions.USAGE).contains("Exit code");
    assertThat(ran.output().lines())
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(Terminal.WIDTH));
  }

  @Test
  void unknownOptionIsRefusedWithTheUsage() throws Exception {
    ScriptResult ran = demo("--kepp");

    assertThat(ran.code()).isEqualTo(64);
    assertThat(ran.output()).startsWith("./demo: unknown option --kepp\n" + DemoOptions.USAGE);
    assertThat(demo("--keep", "--keep").code()).isEqualTo(64);
  }

  @ParameterizedTest
  @CsvSource({
    "--backend mysql, '--backend must be quorum, redis or postgres, not mysql'",
    "--backend=mysql, '--backend must be quorum, redis or postgres, not mysql'",
    "--backend --keep, '--backend must be quorum, redis or postgres, not --keep'",
    "--keep --backend, '--backend needs quorum, redis or postgres after it'",
    "--backend redis --backend postgres, '--backend is given twice'"
  })
  void unknownBackendIsRefusedWithTheChoices(String options, String error) throws Exception {
    ScriptResult ran = demo(options.split(" "));

    assertThat(ran.code()).isEqualTo(64);
    assertThat(ran.output()).startsWith("./demo: " + error + "\n" + DemoOptions.USAGE);
  }

  private static ScriptResult demo(String... options) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("sh", Path.of("..", "demo").toString()));
    command.addAll(List.of(options));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new ScriptResult(process.waitFor(), output);
  }

  private record ScriptResult(int code, String output) {}
}
