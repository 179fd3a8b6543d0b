package io.portcullis.it.coexistence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.Artifacts;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests the layout of the agent jar: classes at its root are visible to every application, so there
 * are few.
 */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class AgentJarIT {
  private static final Pattern ALLOWED =
      Pattern.compile(
          "META-INF/MANIFEST\\.MF|LICENSE|NOTICE"
              + "|io/portcullis/agent/[A-Za-z$0-9]+\\.class"
              + "|io/portcullis/gate/(sql/)?[A-Za-z$0-9]+\\.class"
              + "|engine/.+|backends/[a-z0-9-]+/.+");

  private static final int MAX_AGENT_CLASSES = 12;

  /** Limit for the jar with all backends. */
  private static final long MAX_BYTES = 24_000_000;

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  @Test
  void agentJarHidesItsClassesFromApplications() throws IOException {
    List<String> entries = entries();

    assertThat(entries).allMatch(name -> ALLOWED.matcher(name).matches());
    assertThat(entries).doesNotHaveDuplicates();
    assertThat(entries)
        .filteredOn(name -> name.startsWith("engine/") || name.startsWith("backends/"))
        .noneMatch(name -> name.endsWith(".class"))
        .anyMatch(name -> name.startsWith("engine/META-INF/services/"));
    assertThat(entries)
        .filteredOn(name -> name.startsWith("io/portcullis/agent/"))
        .hasSizeBetween(1, MAX_AGENT_CLASSES);
    assertThat(entries).contains("LICENSE", "io/portcullis/gate/Gate.class");
  }

  @Test
  void agentJarIsSmall() {
    assertThat(Artifacts.agent().toFile().length()).isLessThan(MAX_BYTES);
  }

  @Test
  void classesOfEveryStartAreStoredUncompressed() throws IOException {
    try (JarFile jar = new JarFile(Artifacts.agent().toFile())) {
      assertThat(jar.stream())
          .filteredOn(entry -> entry.getName().matches("(engine/)?io/portcullis/.+"))
          .isNotEmpty()
          .allMatch(entry -> entry.getMethod() == ZipEntry.STORED);
    }
  }

  @Test
  void manifestPutsTheGateOnTheBootClassPath() throws IOException {
    try (JarFile jar = new JarFile(Artifacts.agent().toFile())) {
      Attributes manifest = jar.getManifest().getMainAttributes();

      assertThat(manifest.getValue("Premain-Class")).startsWith("io.portcullis.agent.");
      assertThat(manifest.getValue("Main-Class")).startsWith("io.portcullis.agent.");
      assertThat(manifest.getValue("Boot-Class-Path")).isEqualTo("portcullis-agent.jar");
    }
  }

  @Test
  void agentClassesAreNotOnTheTestClassPath() {
    assertThatThrownBy(() -> Class.forName("io.portcullis.agent.PortcullisAgent"))
        .isInstanceOf(ClassNotFoundException.class);
  }

  @Test
  void renamedAgentJarWorks() throws IOException {
    RedisServer redis = stage.redis();
    Path folder = stage.folder("renamed");
    Path copy = Files.copy(Artifacts.agent(), folder.resolve("gate keeper-1.0.jar"));

    ServiceJvm jvm =
        stage.start(
            "a",
            JvmLauncher.demoService("a", folder.resolve("journal.log"))
                .conf(AgentConf.ledger(redis.uri(), Duration.ofSeconds(2)))
                .agent(copy));
    jvm.awaitRole("LEADER");

    assertThat(jvm.write().accepted()).isTrue();
    assertThat(jvm.output().stderr()).anyMatch(line -> line.contains("keeper-1.0.jar"));
  }

  private static List<String> entries() throws IOException {
    try (JarFile jar = new JarFile(Artifacts.agent().toFile())) {
      return jar.stream().filter(entry -> !entry.isDirectory()).map(ZipEntry::getName).toList();
    }
  }
}
