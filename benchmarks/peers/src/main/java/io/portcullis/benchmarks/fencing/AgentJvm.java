package io.portcullis.benchmarks.fencing;

import io.portcullis.servers.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Starts and stops a JVM with the agent. */
final class AgentJvm {
  private static final Path JAR = Path.of("agent", "target", "portcullis-agent.jar");
  private static final int PATIENCE_SECONDS = 60;

  private AgentJvm() {}

  /**
   * Writes a configuration for a node that leads its own election.
   *
   * @param gated the methods that only a leader may run
   * @param fence the fence's configuration, null for none
   */
  static Path config(
      PostgresServer postgres, Path folder, String name, String gated, @Nullable String fence)
      throws IOException {
    String fences =
        "fences = [ { id = main, url = \"%s\", user = \"%s\"\n %s } ]"
            .formatted(postgres.url(), postgres.user(), fence);
    String config =
        """
        portcullis {
          service = %s
          elections { writer { backend = postgres, postgres { url = "%s", user = "%s" } } }
          rules = [ { id = gated, match = "%s", action = wait, timeout = 1m } ]
          %s
          http.enabled = false
        }
        """
            .formatted(name, postgres.url(), postgres.user(), gated, fence == null ? "" : fences);
    return Files.writeString(folder.resolve(name + ".conf"), config);
  }

  static String option(Path config) {
    return "-javaagent:" + JAR + "=" + config;
  }

  static String java() {
    return ProcessHandle.current().info().command().orElse("java");
  }

  static void awaitEnd(Process process) {
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
