package io.portcullis.it.containers;

import static org.assertj.core.api.Assertions.assertThat;

import com.acme.app.Workshop;
import io.portcullis.it.support.AgentLogLines;
import io.portcullis.it.support.Artifacts;
import io.portcullis.it.support.JarWriter;
import io.portcullis.it.support.Jdks;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.PromotionScenario;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestAppCompiler;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Starts JBoss Modules as WildFly does: a system property makes the modules' loaders delegate the
 * gate's package.
 */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class JBossModulesIT {
  private static final String MODULE =
      """
      <module xmlns="urn:jboss:module:1.9" name="com.acme.workshop">
        <main-class name="com.acme.app.Workshop"/>
        <resources><resource-root path="workshop.jar"/></resources>
      </module>
      """;

  @RegisterExtension static final TestEnvironment SERVERS = TestEnvironment.shared();

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  private static RedisServer redis;
  private static Path modules;

  @BeforeAll
  static void makeModule() throws IOException {
    redis = SERVERS.redis();
    modules = SERVERS.folder("modules");
    Path module = Files.createDirectories(modules.resolve("com/acme/workshop/main"));
    Files.writeString(module.resolve("module.xml"), MODULE);
    JarWriter.write(
        module.resolve("workshop.jar"),
        Map.of(),
        Map.of(Workshop.class.getName(), Artifacts.testClasses()));
  }

  @Test
  void methodsInJBossModulesAreGated() throws IOException {
    PromotionScenario promotion = PromotionScenario.by(stage, redis);
    List<ServiceJvm> jvms = new ArrayList<>();
    for (Path jdk : Jdks.all().toList()) {
      jvms.add(stage.start("a" + jvms.size(), launch(promotion, "a" + jvms.size()).jdk(jdk)));
    }
    jvms.add(
        stage.start(
            "listed",
            launch(promotion, "listed")
                .property("jboss.modules.system.pkgs", "org.jboss.byteman,com.acme.agent")));

    promotion.assertGateFollowsLeadership(jvms);

    assertThat(jvms).allSatisfy(jvm -> assertThat(AgentLogLines.otherStderrLines(jvm)).isEmpty());
  }

  private static JvmLauncher launch(PromotionScenario promotion, String service)
      throws IOException {
    return JvmLauncher.jar(
            TestAppCompiler.container("jboss-modules"),
            "-mp",
            modules.toString(),
            "com.acme.workshop")
        .conf(promotion.conf(service, "com.acme.app.Workshop#work()"));
  }
}
