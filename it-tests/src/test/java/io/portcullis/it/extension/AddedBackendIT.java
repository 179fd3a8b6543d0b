package io.portcullis.it.extension;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.Artifacts;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestAppCompiler;
import io.portcullis.it.support.TestEnvironment;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests that a backend becomes a built-in one by what docs/architecture.md names, without a change
 * to the agent: its classes and service file in a folder of the jar, and its name in the list that
 * the build writes.
 */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class AddedBackendIT {
  private static final Duration LEASE = Duration.ofSeconds(3);
  private static final String APPEND =
      "{ id = append, match = \"com.acme.ledger.Ledger#append(..)\" }";

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  @Test
  void backendInTheJarAndInItsListElects() throws IOException, InterruptedException {
    Path agent = agentWithDirectoryBackend();
    Path journal = stage.folder("journal").resolve("journal.log");
    AgentConf conf = AgentConf.directory(stage.folder("lease"), LEASE).rule(APPEND);
    ServiceJvm a = stage.start("a", JvmLauncher.demoService("a", journal).conf(conf).agent(agent));
    a.awaitRole("LEADER");
    ServiceJvm b = stage.start("b", JvmLauncher.demoService("b", journal).conf(conf).agent(agent));
    b.awaitRole("STANDBY");

    assertThat(a.status().election().path("backend").asText()).isEqualTo("directory");
    assertThat(a.write().accepted()).isTrue();
    assertThat(b.write().refused()).isTrue();
  }

  private Path agentWithDirectoryBackend() throws IOException {
    Path folder = stage.folder("agent");
    Path agent = Files.copy(Artifacts.agent(), folder.resolve("portcullis-agent.jar"));
    Path backend = TestAppCompiler.extension(stage.folder("backend"));
    try (FileSystem to = FileSystems.newFileSystem(agent);
        FileSystem from = FileSystems.newFileSystem(backend)) {
      Path root = from.getPath("/");
      for (Path file : files(root)) {
        String entry = root.relativize(file).toString().replaceFirst("\\.class$", ".classdata");
        Path target = to.getPath("/backends/directory").resolve(entry);
        Files.createDirectories(target.getParent());
        Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
      }
      Path list = to.getPath("/engine/io/portcullis/agent/config/backends.properties");
      Files.writeString(
          list, Files.readString(list).replaceFirst("(?m)^names=", "names=directory,"));
    }
    return agent;
  }

  private static List<Path> files(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(Files::isRegularFile).toList();
    }
  }
}
