package io.portcullis.rules.weave;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.gate.Gate;
import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every form of gate passes the verifier of each configured JDK, and works there. */
@Tag("slow")
class ForkedActionsTest {
  private static final int TIMEOUT_SECONDS = 180;
  private static final String ALL_WELL = "verified: true\ninterrupted: true\nwaited: true\n";

  @TempDir Path folder;

  static Stream<String> jdks() {
    return ForkedWeavingTest.jdks();
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void actionsWorkOnPlatformThreads(String jdk) throws Exception {
    assertThat(run(jdk, "platform")).isEqualTo(ALL_WELL);
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void actionsWorkOnVirtualThreadsIfSupported(String jdk) throws Exception {
    boolean has = release(jdk) >= 21;

    assertThat(run(jdk, has ? "virtual" : "platform")).isEqualTo(ALL_WELL);
  }

  private static int release(String jdk) throws Exception {
    String file = Files.readString(Path.of(jdk, "release"));
    String version = file.replaceAll("(?s).*JAVA_VERSION=\"(\\d+).*", "$1");
    return Integer.parseInt(version);
  }

  private String run(String jdk, String threads) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(jdk, "bin", "java").toString());
    command.add("-XX:+UnlockDiagnosticVMOptions");
    command.add("-XX:+BytecodeVerificationLocal");
    command.add("-XX:+BytecodeVerificationRemote");
    command.add("-Xbootclasspath/a:" + locationOf(Gate.class));
    command.add("-cp");
    command.add(classPathWithoutGate());
    command.add(ForkedActions.class.getName());
    command.add(threads);
    Path out = folder.resolve("out.txt");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    try {
      assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).as("ended in time").isTrue();
      return Files.readString(out)
          .replaceAll("(?m)^.*Sharing is only supported for boot loader classes.*\\R", "");
    } finally {
      process.destroyForcibly();
    }
  }

  private static String classPathWithoutGate() {
    String gate = locationOf(Gate.class);
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .filter(element -> !Path.of(element).toString().equals(gate))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static String locationOf(Class<?> type) {
    return Path.of(URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()))
        .toString();
  }
}
