package io.portcullis.it.coexistence;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.Jdks;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestAppCompiler;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests a service with an older Postgres driver and pool than the agent contains. */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class ServiceDriverVersionIT {
  private static final String MAIN = "com.acme.others.DatabaseService";
  private static final Duration LEASE = Duration.ofSeconds(2);

  @RegisterExtension static final TestEnvironment SERVERS = TestEnvironment.shared();

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  private static PostgresServer postgres;
  private static Path[] classPath;

  @BeforeAll
  static void compile() throws IOException {
    postgres = SERVERS.postgres();
    classPath = TestAppCompiler.serviceWithOtherVersions(SERVERS.folder("others"));
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void driverManagerContainsOnlyTheServiceDriver(Path jdk) throws IOException {
    AgentConf conf =
        AgentConf.postgres(postgres.url(), postgres.user(), LEASE)
            .rule("{ id = work, match = \"" + MAIN + "#work()\" }")
            .set("service", "others");
    ServiceJvm alone = stage.start("alone", launch(jdk).withoutAgent());
    ServiceJvm jvm = stage.start("a", launch(jdk).conf(conf));
    alone.awaitLog("drivers: ");
    jvm.awaitLog("drivers: ");
    jvm.awaitRole("LEADER");

    String application = "jdk.internal.loader.ClassLoaders$AppClassLoader";
    assertThat(jvm.output().stdout())
        .contains("driver manager: 1 by 42.7.10")
        .contains("pool: 1 by 42.7.10 HikariCP-5.1.0.jar " + application)
        .contains("login timeout: 0")
        .contains("driver: org.postgresql.Driver postgresql-42.7.10.jar " + application)
        .contains("drivers: 1");
    assertThat(withoutHashes(jvm)).containsExactlyElementsOf(withoutHashes(alone));
    assertThat(jvm.output().stderr())
        .filteredOn(line -> !line.contains("Z portcullis "))
        .as("same output as without the agent")
        .isEqualTo(alone.output().stderr());
  }

  static Stream<Path> jdks() {
    return Jdks.all();
  }

  /** The pool names its connections by their hashes. */
  private static List<String> withoutHashes(ServiceJvm jvm) {
    return jvm.output().stdout().stream().map(line -> line.replaceAll("@[0-9a-f]+", "@")).toList();
  }

  private static JvmLauncher launch(Path jdk) {
    return JvmLauncher.application(MAIN, classPath)
        .argument(postgres.url())
        .option("--add-opens=java.sql/java.sql=ALL-UNNAMED")
        .jdk(jdk);
  }
}
