package io.portcullis.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a copy of the gate's classes that an application bundles, in separate JVMs. */
class BundledCopyTest {
  private static final int TIMEOUT_SECONDS = 60;

  @TempDir Path folder;

  @Test
  void copyBesideTheAgentReportsNoElection() throws Exception {
    List<String> answers = answers("-Xbootclasspath/a:" + locationOf(Gate.class));

    assertThat(answers)
        .hasSize(3)
        .allMatch(answer -> answer.contains("java.lang.IllegalStateException"))
        .allMatch(answer -> answer.contains("Do not bundle portcullis-gate"));
  }

  @Test
  void copyWithoutTheAgentReportsTheOnlyInstance() throws Exception {
    List<String> answers = answers();

    assertThat(answers).containsExactly("active: false", "isLeader: true", "requireLeader: 0");
  }

  private List<String> answers(String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(Arrays.asList(options));
    command.addAll(
        List.of(
            "-Xshare:auto",
            "-cp",
            locationOf(BundledCopyMain.class).toString(),
            BundledCopyMain.class.getName(),
            locationOf(Gate.class).toString()));
    Path out = folder.resolve("out.txt");
    Path err = folder.resolve("err.txt");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    try {
      assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).as("ended in time").isTrue();
      assertThat(process.exitValue()).as(Files.readString(err)).isZero();
      return Files.readAllLines(out);
    } finally {
      process.destroyForcibly();
    }
  }

  private static Path locationOf(Class<?> type) {
    return Path.of(URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()));
  }
}
