package io.portcullis.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.agent.config.BundledBackends;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each module under {@code backends} is packaged and registered, as docs/architecture.md says. */
class BackendPackagingTest {
  private static final Path BACKENDS = Path.of("..", "backends");
  private static final String SERVICE =
      "src/main/resources/META-INF/services/io.portcullis.election.backend.Backend";

  @Test
  void everyBackendModuleIsInTheRegistry() throws IOException {
    assertThat(modules()).isNotEmpty();
    assertThat(new TreeSet<>(modules())).isEqualTo(BundledBackends.BUILT_IN);
  }

  @Test
  void everyBackendModuleHasAServiceFile() throws IOException {
    for (String module : modules()) {
      assertThat(BACKENDS.resolve(module).resolve(SERVICE)).isNotEmptyFile();
    }
  }

  private static List<String> modules() throws IOException {
    try (Stream<Path> folders = Files.list(BACKENDS)) {
      return folders
          .filter(folder -> Files.exists(folder.resolve("pom.xml")))
          .map(folder -> folder.getFileName().toString())
          .sorted()
          .toList();
    }
  }
}
