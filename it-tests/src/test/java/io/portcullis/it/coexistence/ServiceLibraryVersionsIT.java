package io.portcullis.it.coexistence;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.Jdks;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestAppCompiler;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.RedisServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests a service with older versions of Lettuce, Netty, Reactor, SLF4J and Typesafe Config than
 * the agent contains.
 */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class ServiceLibraryVersionsIT {
  private static final String MAIN = "com.acme.others.SharedLibrariesService";
  private static final Duration LEASE = Duration.ofSeconds(2);

  @RegisterExtension static final TestEnvironment SERVERS = TestEnvironment.shared();

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  private static RedisServer redis;
  private static Path[] classPath;

  @BeforeAll
  static void compile() throws IOException {
    redis = SERVERS.redis();
    classPath = TestAppCompiler.serviceWithOtherVersions(SERVERS.folder("others"));
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void serviceUsesItsOwnLibraryVersions(Path jdk) throws IOException {
    AgentConf conf =
        AgentConf.redis(redis.uri(), LEASE)
            .rule("{ id = work, match = \"" + MAIN + "#work()\" }")
            .set("service", "others");
    ServiceJvm alone = stage.start("alone", launch(jdk).withoutAgent());
    alone.awaitLog("work: done, PONG");
    ServiceJvm jvm = stage.start("a", launch(jdk).conf(conf));
    jvm.awaitLog("work: done, PONG");
    jvm.awaitRole("LEADER");

    String application = "jdk.internal.loader.ClassLoaders$AppClassLoader";
    assertThat(jvm.output().stdout())
        .contains("config: hello, from application.conf config-1.3.4.jar " + application)
        .contains("config has the agent's keys: false")
        .contains("lettuce: hello lettuce-core-6.5.5.RELEASE.jar " + application)
        .contains("netty: unsafe false netty-common-4.1.118.Final.jar " + application)
        .anySatisfy(
            line ->
                assertThat(line)
                    .startsWith(
                        "logback INFO slf4j: ch.qos.logback.classic.Logger slf4j-api-1.7.36")
                    .endsWith(application));
    assertThat(jvm.output().stdout()).isEqualTo(alone.output().stdout());
    assertThat(jvm.output().stderr())
        .filteredOn(line -> !line.contains("Z portcullis "))
        .as("same output as without the agent")
        .isEqualTo(alone.output().stderr());
  }

  static Stream<Path> jdks() {
    return Jdks.all();
  }

  /**
   * The service's Netty settings would break the agent's Netty if that read them. They also keep
   * the service's Netty from warning on later JDKs, which could hide a warning that the agent
   * causes.
   */
  private static JvmLauncher launch(Path jdk) {
    return JvmLauncher.application(MAIN, classPath)
        .argument(redis.uri())
        .property("io.netty.noUnsafe", "true")
        .property("io.netty.eventLoopThreads", "1")
        .property("io.netty.allocator.type", "pooled")
        .property("io.netty.jfr.enabled", "true")
        .property("io.netty.leakDetection.level", "paranoid")
        .jdk(jdk);
  }
}
