package io.portcullis.it.coexistence;

import static org.assertj.core.api.Assertions.assertThat;

import com.acme.app.ArchivedService;
import com.acme.app.Workshop;
import io.portcullis.it.support.AgentLogLines;
import io.portcullis.it.support.Artifacts;
import io.portcullis.it.support.JarWriter;
import io.portcullis.it.support.Jdks;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.PromotionScenario;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests that classes from a CDS archive or AOT cache are gated like others. */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class CdsArchiveIT {
  /** First JDK that creates an AOT cache in one step. */
  private static final int FIRST_WITH_AOT_CACHE = 25;

  /** JVM options that the second JVM, which creates the AOT cache, must also have. */
  private static final Duration TRAINING = Duration.ofSeconds(90);

  private static final String ARCHIVED = "source: shared objects file";

  @RegisterExtension static final TestEnvironment SERVERS = TestEnvironment.shared();

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  private static RedisServer redis;
  private static Path application;

  @BeforeAll
  static void makeJar() throws IOException {
    redis = SERVERS.redis();
    application =
        JarWriter.write(
            SERVERS.folder("application").resolve("application.jar"),
            Map.of("Main-Class", ArchivedService.class.getName()),
            Map.of(
                ArchivedService.class.getName(), Artifacts.testClasses(),
                Workshop.class.getName(), Artifacts.testClasses()));
  }

  /** The training run has no gate, but uses the boot class path that the agent sets later. */
  @Test
  void classesFromArchiveMadeWithTheAgentJarAreGated() throws IOException, InterruptedException {
    PromotionScenario promotion = PromotionScenario.by(stage, redis);
    List<ArchivedJvm> all = new ArrayList<>();
    for (Path jdk : Jdks.all().toList()) {
      String dynamic = "dynamic" + all.size();
      Path archive = archive("application.jsa");
      train(jdk, "-XX:ArchiveClassesAtExit=" + archive, bootClassPath());
      all.add(start(promotion, dynamic, jdk, "-XX:SharedArchiveFile=" + archive));
      if (Jdks.version(jdk) >= FIRST_WITH_AOT_CACHE) {
        String aot = "aot" + all.size();
        Path cache = archive("application.aot");
        train(jdk, "-XX:AOTCacheOutput=" + cache, bootClassPath(), "--add-modules=java.instrument");
        all.add(start(promotion, aot, jdk, "-XX:AOTCache=" + cache));
      }
    }

    promotion.assertGateFollowsLeadership(all.stream().map(ArchivedJvm::jvm).toList());

    for (ArchivedJvm each : all) {
      assertThat(each.loaded(ArchivedService.class)).contains(ARCHIVED);
      assertThat(AgentLogLines.otherStderrLines(each.jvm())).isEmpty();
    }
  }

  @Test
  void archiveMadeWithoutTheAgentJarIsIgnoredAndGateHolds()
      throws IOException, InterruptedException {
    PromotionScenario promotion = PromotionScenario.by(stage, redis);
    List<ArchivedJvm> all = new ArrayList<>();
    for (Path jdk : Jdks.all().toList()) {
      Path archive = archive("application.jsa");
      train(jdk, "-XX:ArchiveClassesAtExit=" + archive);
      all.add(start(promotion, "plain" + all.size(), jdk, "-XX:SharedArchiveFile=" + archive));
    }

    promotion.assertGateFollowsLeadership(all.stream().map(ArchivedJvm::jvm).toList());

    for (ArchivedJvm each : all) {
      assertThat(each.loaded(ArchivedService.class)).isNotEmpty().doesNotContain(ARCHIVED);
      assertThat(AgentLogLines.otherStderrLines(each.jvm())).isEmpty();
    }
  }

  private Path archive(String name) throws IOException {
    return stage.folder("archive").resolve(name);
  }

  private static String bootClassPath() {
    return "-Xbootclasspath/a:" + Artifacts.agent();
  }

  private void train(Path jdk, String... options) throws IOException, InterruptedException {
    JvmLauncher launch = JvmLauncher.jar(application, "train").jdk(jdk).withoutAgent();
    for (String option : options) {
      launch.option(option);
    }
    assertThat(stage.start("training", launch).awaitExit(TRAINING)).isZero();
  }

  private ArchivedJvm start(PromotionScenario promotion, String service, Path jdk, String archive)
      throws IOException {
    Path loads = stage.folder("log").resolve("loads.log");
    ServiceJvm jvm =
        stage.start(
            service,
            JvmLauncher.jar(application)
                .option(archive)
                .option("-Xlog:class+load:file=" + loads)
                .conf(promotion.conf(service, "com.acme.app.Workshop#work()"))
                .jdk(jdk));
    return new ArchivedJvm(jvm, loads);
  }

  /** A JVM that logs the origin of its classes. */
  private record ArchivedJvm(ServiceJvm jvm, Path loads) {
    /** The first log line about the class, or an empty string. */
    String loaded(Class<?> type) throws IOException {
      return Files.readAllLines(loads).stream()
          .filter(line -> line.contains(type.getName() + " "))
          .findFirst()
          .orElse("");
    }
  }
}
