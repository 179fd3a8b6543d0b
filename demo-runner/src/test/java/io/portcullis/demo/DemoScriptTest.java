package io.portcullis.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
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

  @Test
  void buildShowsOneLinePerModule(@TempDir Path folder) throws Exception {
    fakeBuild(folder, 0);

    ScriptResult ran = run(folder, folder.resolve("demo"));

    assertThat(ran.output())
        .contains("  1/2  Portcullis\n  2/2  Portcullis gate\n")
        .doesNotContain("[INFO]", "compiling");
    assertThat(folder.resolve("demo-runner/target/built")).exists();
  }

  @Test
  void failedBuildShowsItsOutputAndEndsWithTwo(@TempDir Path folder) throws Exception {
    fakeBuild(folder, 1);

    ScriptResult ran = run(folder, folder.resolve("demo"));

    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.output()).contains("  2/2  Portcullis gate\n", "[INFO] compiling");
    assertThat(folder.resolve("demo-runner/target/built")).doesNotExist();
  }

  /** A copy of the script in a folder in which nothing is built, with a Maven that prints only. */
  private static void fakeBuild(Path folder, int code) throws IOException {
    Files.copy(Path.of("..", "demo"), folder.resolve("demo"));
    Files.createDirectories(folder.resolve("demo-runner/target"));
    Path maven = folder.resolve("mvn");
    Files.writeString(
        maven,
        """
        #!/bin/sh
        echo "[INFO] Building Portcullis 1.0-SNAPSHOT                  [1/2]"
        echo "[INFO] Building Portcullis gate 1.0-SNAPSHOT                  [2/2]"
        echo "[INFO] compiling"
        exit %d
        """
            .formatted(code));
    assertThat(maven.toFile().setExecutable(true)).isTrue();
  }

  private static ScriptResult demo(String... options) throws IOException, InterruptedException {
    return run(Path.of("."), Path.of("..", "demo"), options);
  }

  private static ScriptResult run(Path tools, Path script, String... options)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("sh", script.toString()));
    command.addAll(List.of(options));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().merge("PATH", tools + ":", (path, first) -> first + path);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new ScriptResult(process.waitFor(), output);
  }

  private record ScriptResult(int code, String output) {}
}
