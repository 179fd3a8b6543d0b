package io.portcullis.it.containers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.Jdks;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.PromotionScenario;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestAppCompiler;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.PostgresServer;
import io.portcullis.servers.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests that the agent retains nothing of a redeployed web application. */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class TomcatIT {
  private static final String HOST = "com.acme.tomcat.TomcatHost";

  @RegisterExtension static final TestEnvironment SERVERS = TestEnvironment.shared();

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  private static RedisServer redis;
  private static PostgresServer postgres;
  private static Path[] classPath;
  private static Path application;

  @BeforeAll
  static void makeApplication() throws IOException {
    redis = SERVERS.redis();
    postgres = SERVERS.postgres();
    postgres.execute("create table visits (number int)");
    postgres.execute("create database home");
    Path tomcat = TestAppCompiler.container("tomcat-embed-core");
    Path annotations = TestAppCompiler.container("tomcat-annotations-api");
    application = SERVERS.folder("webapp");
    TestAppCompiler.forContainer(
        "webapp", Files.createDirectories(application.resolve("WEB-INF/classes")), tomcat);
    classPath =
        new Path[] {
          TestAppCompiler.forContainer("tomcat-host", SERVERS.folder("host"), tomcat),
          tomcat,
          annotations,
          TestAppCompiler.postgresDriver()
        };
  }

  /**
   * Redeploys ten times as a standby and ten times as the leader, with open futures and ended
   * threads. The application is the first to connect to a database other than the fence's own.
   * Tomcat itself searches for leaks, with the options that its own start script sets.
   */
  @Test
  void redeployedWebappIsGatedAndLeaksNoClassLoader() throws IOException, InterruptedException {
    PromotionScenario promotion = PromotionScenario.by(stage, redis);
    List<ServiceJvm> jvms = new ArrayList<>();
    String home = postgres.url("home").replace("127.0.0.1", "localhost");
    String fence =
        "[ { id = main, url = \"%s\", user = \"%s\", match = \"jdbc:postgresql://*/*\" } ]"
            .formatted(home, postgres.user());
    for (Path jdk : Jdks.all().toList()) {
      String name = "a" + jvms.size();
      AgentConf conf =
          promotion
              .conf(name, "com.acme.web.WebTasks#work()")
              .rule("{ id = promise, match = \"com.acme.web.WebTasks#promise()\" }")
              .set("fences", fence);
      jvms.add(
          stage.start(
              name,
              JvmLauncher.application(HOST, classPath)
                  .option("--add-opens=java.base/java.lang=ALL-UNNAMED")
                  .option("--add-opens=java.base/java.io=ALL-UNNAMED")
                  .option("--add-opens=java.rmi/sun.rmi.transport=ALL-UNNAMED")
                  .property("host.url", home)
                  .property("app.url", postgres.url())
                  .property("app.user", postgres.user())
                  .argument(application.toString())
                  .argument(stage.folder("tomcat").toString())
                  .conf(conf)
                  .jdk(jdk)));
    }

    promotion.assertRefused(jvms);
    jvms.forEach(jvm -> jvm.awaitLog("deployed again as standby: 10"));
    promotion.promote(jvms);
    jvms.forEach(jvm -> jvm.awaitLog("deployed again as leader: 10"));
    promotion.demote(jvms);

    for (ServiceJvm jvm : jvms) {
      jvm.awaitLog("deployed: 21, loaders left: 1");
      assertThat(jvm.output().stderr())
          .as("Tomcat's leak warnings")
          .noneMatch(line -> line.contains("The web application ["));
      for (JsonNode rule : jvm.status().json().path("rules")) {
        assertThat(rule.path("state").asText()).isEqualTo("ARMED");
        assertThat(rule.path("wovenMethods").asInt()).isEqualTo(1);
      }
    }
  }
}
