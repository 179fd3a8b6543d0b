package io.portcullis.it.containers;

import static org.assertj.core.api.Assertions.assertThat;

import com.acme.app.Workshop;
import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.Artifacts;
import io.portcullis.it.support.JarWriter;
import io.portcullis.it.support.Jdks;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.PromotionScenario;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestAppCompiler;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.PostgresServer;
import io.portcullis.servers.RedisServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests that gated methods in bundles find the gate, although bundles see only the JDK and their
 * imports.
 */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class OsgiIT {
  /** Long, since a busy machine starts several JVMs at once. */
  private static final Duration LEASE = Duration.ofSeconds(8);

  private static final Duration TIMEOUT = Duration.ofSeconds(150);
  private static final String HOST = "com.acme.osgi.OsgiHost";
  private static final String ACTIVATOR = "com.acme.bundle.Activator";
  private static final String READING_ACTIVATOR = "com.acme.bundle.ReadingActivator";
  private static final String FELIX = "org.apache.felix.framework";
  private static final String EQUINOX = "org.eclipse.osgi";

  @RegisterExtension static final TestEnvironment SERVERS = TestEnvironment.shared();

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  private static RedisServer redis;
  private static Path hostClasses;
  private static Path bundle;
  private static Path readingBundle;

  @BeforeAll
  static void makeBundle() throws IOException {
    redis = SERVERS.redis();
    Path felix = TestAppCompiler.container(FELIX);
    hostClasses = TestAppCompiler.forContainer("osgi-host", SERVERS.folder("host"), felix);
    Path classes =
        TestAppCompiler.forContainer(
            "bundle", SERVERS.folder("classes"), felix, Artifacts.testClasses());
    bundle =
        JarWriter.write(
            SERVERS.folder("bundle").resolve("workshop.jar"),
            Map.of(
                "Bundle-ManifestVersion", "2",
                "Bundle-SymbolicName", "com.acme.workshop",
                "Bundle-Version", "1.0.0",
                "Bundle-Activator", ACTIVATOR,
                "Import-Package", "org.osgi.framework"),
            Map.of(ACTIVATOR, classes, Workshop.class.getName(), Artifacts.testClasses()));
    readingBundle =
        JarWriter.write(
            SERVERS.folder("reading").resolve("reading.jar"),
            Map.of(
                "Bundle-ManifestVersion", "2",
                "Bundle-SymbolicName", "com.acme.reading",
                "Bundle-Version", "1.0.0",
                "Bundle-Activator", READING_ACTIVATOR,
                "Import-Package", "org.osgi.framework"),
            Map.of(READING_ACTIVATOR, classes));
  }

  @Test
  void bundleIsGatedWithoutBootDelegation() throws IOException {
    PromotionScenario promotion = PromotionScenario.by(stage, redis);
    List<ServiceJvm> jvms = new ArrayList<>();
    for (String framework : List.of(FELIX, EQUINOX)) {
      for (Path jdk : Jdks.all().toList()) {
        jvms.add(start(promotion, framework + jvms.size(), framework, jdk));
      }
    }

    promotion.assertGateFollowsLeadership(jvms);

    assertThat(jvms)
        .allSatisfy(
            jvm ->
                assertThat(jvm.output().stdout())
                    .anyMatch(line -> line.matches("loaded by: .*(Bundle|Equinox)ClassLoader")));
  }

  @Test
  void bundleIsGatedWithTheGateInBootDelegation() throws IOException {
    PromotionScenario promotion = PromotionScenario.by(stage, redis);
    ServiceJvm inConfiguration =
        stage.start(
            "own-list", launch(promotion, "own-list", FELIX).argument("sun.*,io.portcullis.gate"));
    ServiceJvm asProperty =
        stage.start(
            "property",
            launch(promotion, "property", FELIX)
                .property("org.osgi.framework.bootdelegation", "sun.*"));

    promotion.assertGateFollowsLeadership(inConfiguration, asProperty);
  }

  /** The bundle is the first to connect to a database other than the fence's own. */
  @Test
  void fenceDoesNotRetainLoaderOfUninstalledBundle() throws IOException {
    PostgresServer postgres = stage.postgres();
    postgres.execute("create database home");
    String home = postgres.url("home").replace("127.0.0.1", "localhost");
    String fence =
        "[ { id = main, url = \"%s\", user = \"%s\", match = \"jdbc:postgresql://*/*\" } ]"
            .formatted(home, postgres.user());
    List<ServiceJvm> jvms = new ArrayList<>();
    for (String framework : List.of(FELIX, EQUINOX)) {
      for (Path jdk : Jdks.all().toList()) {
        String name = "redeployed" + jvms.size();
        jvms.add(
            stage.start(
                name,
                JvmLauncher.application(
                        "com.acme.osgi.RedeployHost",
                        hostClasses,
                        TestAppCompiler.container(framework),
                        TestAppCompiler.postgresDriver())
                    .argument(readingBundle.toString())
                    .argument(stage.folder("storage").toString())
                    .property("host.url", home)
                    .property("app.url", postgres.url())
                    .property("app.user", postgres.user())
                    .conf(
                        AgentConf.redis(redis.uri(), LEASE)
                            .set("service", name)
                            .set("fences", fence)
                            .rule("{ id = work, match = \"com.acme.osgi.RedeployHost#work()\" }"))
                    .jdk(jdk)));
      }
    }

    for (ServiceJvm jvm : jvms) {
      Awaitility.await(jvm.name() + ": remaining loaders")
          .atMost(TIMEOUT)
          .until(() -> jvm.find(line -> line.startsWith("deployed: 5, ")), Optional::isPresent);
      assertThat(jvm.output().stdout())
          .as(jvm.name())
          .contains("read", "deployed: 5, loaders left: 0, true");
    }
  }

  private ServiceJvm start(PromotionScenario promotion, String service, String framework, Path jdk)
      throws IOException {
    return stage.start(service, launch(promotion, service, framework).jdk(jdk));
  }

  private JvmLauncher launch(PromotionScenario promotion, String service, String framework)
      throws IOException {
    return JvmLauncher.application(HOST, hostClasses, TestAppCompiler.container(framework))
        .argument(bundle.toString())
        .argument(stage.folder("storage").toString())
        .conf(promotion.conf(service, "com.acme.app.Workshop#work()"));
  }
}
