package io.portcullis.it.containers;

import static org.assertj.core.api.Assertions.assertThat;

import com.acme.app.Workshop;
import io.portcullis.it.support.Artifacts;
import io.portcullis.it.support.Compiled;
import io.portcullis.it.support.Jars;
import io.portcullis.it.support.Jdks;
import io.portcullis.it.support.Launch;
import io.portcullis.it.support.Promotion;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.Stage;
import io.portcullis.servers.RedisServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Bundles see the JDK and what they import, and yet their gated methods find the gate. */
@Timeout(value = 240, threadMode = ThreadMode.SEPARATE_THREAD)
class OsgiIT {
  private static final String HOST = "com.acme.osgi.OsgiHost";
  private static final String ACTIVATOR = "com.acme.bundle.Activator";
  private static final String FELIX = "org.apache.felix.framework";
  private static final String EQUINOX = "org.eclipse.osgi";

  @RegisterExtension static final Stage SERVERS = Stage.shared();

  @RegisterExtension final Stage stage = Stage.perTest();

  private static RedisServer redis;
  private static Path hostClasses;
  private static Path bundle;

  @BeforeAll
  static void makeBundle() throws IOException {
    redis = SERVERS.redis();
    Path felix = Compiled.container(FELIX);
    hostClasses = Compiled.forContainer("osgi-host", SERVERS.folder("host"), felix);
    Path classes =
        Compiled.forContainer("bundle", SERVERS.folder("classes"), felix, Artifacts.testClasses());
    bundle =
        Jars.write(
            SERVERS.folder("bundle").resolve("workshop.jar"),
            Map.of(
                "Bundle-ManifestVersion", "2",
                "Bundle-SymbolicName", "com.acme.workshop",
                "Bundle-Version", "1.0.0",
                "Bundle-Activator", ACTIVATOR,
                "Import-Package", "org.osgi.framework"),
            Map.of(ACTIVATOR, classes, Workshop.class.getName(), Artifacts.testClasses()));
  }

  @Test
  void aBundlesMethodsAreGatedThoughNobodyToldTheFrameworkOfTheGate() throws IOException {
    Promotion promotion = Promotion.by(stage, redis);
    List<ServiceJvm> jvms = new ArrayList<>();
    for (String framework : List.of(FELIX, EQUINOX)) {
      for (Path jdk : Jdks.all().toList()) {
        jvms.add(start(promotion, framework + jvms.size(), framework, jdk));
      }
    }

    promotion.assertObeyedBy(jvms);

    assertThat(jvms)
        .allSatisfy(
            jvm ->
                assertThat(jvm.output().stdout())
                    .anyMatch(line -> line.matches("loaded by: .*(Bundle|Equinox)ClassLoader")));
  }

  @Test
  void soTheyAreWhereTheGateIsOnTheFrameworksList() throws IOException {
    Promotion promotion = Promotion.by(stage, redis);
    ServiceJvm inConfiguration =
        stage.start(
            "own-list", launch(promotion, "own-list", FELIX).argument("sun.*,io.portcullis.gate"));
    ServiceJvm asProperty =
        stage.start(
            "property",
            launch(promotion, "property", FELIX)
                .property("org.osgi.framework.bootdelegation", "sun.*"));

    promotion.assertObeyedBy(inConfiguration, asProperty);
  }

  private ServiceJvm start(Promotion promotion, String service, String framework, Path jdk)
      throws IOException {
    return stage.start(service, launch(promotion, service, framework).jdk(jdk));
  }

  private Launch launch(Promotion promotion, String service, String framework) throws IOException {
    return Launch.application(HOST, hostClasses, Compiled.container(framework))
        .argument(bundle.toString())
        .argument(stage.folder("storage").toString())
        .conf(promotion.conf(service, "com.acme.app.Workshop#work()"));
  }
}
