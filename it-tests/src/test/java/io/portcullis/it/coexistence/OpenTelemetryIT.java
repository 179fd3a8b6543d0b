package io.portcullis.it.coexistence;

import static org.assertj.core.api.Assertions.assertThat;

import com.acme.app.Workshop;
import io.portcullis.it.support.AgentLogLines;
import io.portcullis.it.support.Jdks;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.PromotionScenario;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestAppCompiler;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.RedisServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests the agent together with another agent that rewrites the same gated method, in either order.
 */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class OpenTelemetryIT {
  @RegisterExtension static final TestEnvironment SERVERS = TestEnvironment.shared();

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  private static RedisServer redis;
  private static Path openTelemetry;

  @BeforeAll
  static void startRedis() throws IOException {
    redis = SERVERS.redis();
    openTelemetry = TestAppCompiler.container("opentelemetry-javaagent");
  }

  @Test
  void gateWorksBeforeAndAfterTheOpenTelemetryAgent() throws IOException {
    PromotionScenario promotion = PromotionScenario.by(stage, redis);
    List<ServiceJvm> jvms = new ArrayList<>();
    for (Path jdk : Jdks.all().toList()) {
      String before = "before" + jvms.size();
      jvms.add(
          stage.start(before, launch(promotion, before).jdk(jdk).agentBefore(openTelemetry, "")));
      String after = "after" + jvms.size();
      jvms.add(stage.start(after, launch(promotion, after).jdk(jdk).agentAfter(openTelemetry, "")));
    }

    promotion.assertGateFollowsLeadership(jvms);

    for (ServiceJvm jvm : jvms) {
      List<String> strangers = AgentLogLines.otherStderrLines(jvm);
      assertThat(strangers)
          .as("method is also instrumented by the other agent")
          .anyMatch(line -> line.contains("Workshop.work"));
      assertThat(strangers)
          .as("the agent's own activity is not traced")
          .noneMatch(line -> line.contains("lettuce") || line.contains("netty"));
      assertThat(strangers).allMatch(OpenTelemetryIT::isFromOtherAgent);
    }
  }

  /** The JVM's warning is about how the other agent uses the bootstrap loader. */
  private static boolean isFromOtherAgent(String line) {
    return line.startsWith("[otel.javaagent ")
        || line.contains("Sharing is only supported for boot loader classes");
  }

  private static JvmLauncher launch(PromotionScenario promotion, String service) {
    return JvmLauncher.application(Workshop.class.getName())
        .option("-Xmx256m")
        .property("otel.javaagent.logging", "simple")
        .property(
            "otel.javaagent.exclude-class-loaders", "io.portcullis.agent.NestedJarClassLoader")
        .property("otel.traces.exporter", "console")
        .property("otel.metrics.exporter", "none")
        .property("otel.logs.exporter", "none")
        .property("otel.instrumentation.methods.include", "com.acme.app.Workshop[work]")
        .conf(promotion.conf(service, "com.acme.app.Workshop#work()"));
  }
}
