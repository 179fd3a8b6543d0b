package io.portcullis.servers;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.testcontainers.DockerClientFactory;

/**
 * Checks whether Docker is available. Calls Testcontainers only if there is any sign of Docker:
 * without Docker its search takes time and fills the log.
 */
final class DockerAvailability {
  static final boolean IS_AVAILABLE =
      isHinted() && DockerClientFactory.instance().isDockerAvailable();

  private DockerAvailability() {}

  private static boolean isHinted() {
    String home = System.getProperty("user.home", "");
    return System.getenv("DOCKER_HOST") != null
        || File.separatorChar == '\\'
        || Stream.of(
                Path.of("/var/run/docker.sock"),
                Path.of(home, ".docker", "run", "docker.sock"),
                Path.of(home, ".testcontainers.properties"))
            .anyMatch(Files::exists);
  }
}
