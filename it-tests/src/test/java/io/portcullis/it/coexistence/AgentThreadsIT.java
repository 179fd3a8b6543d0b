package io.portcullis.it.coexistence;

import static org.assertj.core.api.Assertions.assertThat;

import com.acme.app.GuestConnectionService;
import com.acme.app.InterruptingService;
import com.acme.app.ThreadListingService;
import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.Artifacts;
import io.portcullis.it.support.Jdks;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.PostgresServer;
import io.portcullis.servers.RedisServer;
import io.portcullis.servers.TcpProxy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that the agent's threads inherit nothing from the application, and that the application
 * cannot end them.
 */
@Timeout(value = 240, threadMode = ThreadMode.SEPARATE_THREAD)
class AgentThreadsIT {
  private static final Duration LEASE = Duration.ofSeconds(3);
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Pattern THREAD = Pattern.compile("thread (\\S+): (.*)");

  @RegisterExtension static final TestEnvironment SERVERS = TestEnvironment.shared();

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  private static RedisServer redis;
  private static PostgresServer postgres;

  @BeforeAll
  static void startStores() {
    redis = SERVERS.redis();
    postgres = SERVERS.postgres();
    postgres.execute("create database home");
  }

  static Stream<Path> jdks() {
    return Jdks.all();
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void threadsOnRedisWithFenceInheritNothing(Path jdk) throws IOException, InterruptedException {
    AgentConf conf =
        fenced(AgentConf.redis(redis.uri(), LEASE))
            .set("service", "listed-redis" + Jdks.version(jdk))
            .set(
                "elections.writer.hooks.started",
                "[ \"" + ThreadListingService.class.getName() + "#started()\" ]");

    Set<String> names = assertInheritNothing(conf, jdk);

    assertThat(names)
        .contains("portcullis", "portcullis-log", "portcullis-http", "portcullis-writer")
        .contains("portcullis-writer-redis", "portcullis-writer-hooks")
        .contains("portcullis-writer-redis-io")
        .anyMatch(name -> name.startsWith("portcullis-fence-"))
        .anyMatch(name -> name.matches("portcullis-http-\\d+"));
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void threadsOnPostgresInheritNothing(Path jdk) throws IOException, InterruptedException {
    AgentConf conf =
        AgentConf.postgres(postgres.url(), postgres.user(), LEASE)
            .set("service", "listed-postgres" + Jdks.version(jdk));

    assertThat(assertInheritNothing(conf, jdk))
        .contains("portcullis-writer-postgres-session", "portcullis-writer-postgres-read")
        .contains("portcullis-writer-postgres-pool", "portcullis-writer-postgres-listen");
  }

  private Set<String> assertInheritNothing(AgentConf conf, Path jdk)
      throws IOException, InterruptedException {
    ServiceJvm jvm =
        stage.start(
            "a",
            JvmLauncher.application(ThreadListingService.class.getName())
                .option("--add-opens=java.base/java.lang=ALL-UNNAMED")
                .conf(conf.rule(work(ThreadListingService.class)))
                .jdk(jdk));
    jvm.awaitLog("work: done");
    int before = jvm.output().stdout().size();
    Awaitility.await("thread list after a request")
        .atMost(TIMEOUT)
        .until(
            () -> {
              jvm.get("/metrics");
              List<String> lines = jvm.output().stdout();
              return lines.subList(before, lines.size()).stream()
                  .anyMatch(line -> line.startsWith("thread portcullis-http-"));
            });

    List<Matcher> seen =
        jvm.output().stdout().stream().map(THREAD::matcher).filter(Matcher::matches).toList();
    assertThat(seen)
        .filteredOn(thread -> !thread.group(1).endsWith("-hook"))
        .allSatisfy(
            thread ->
                assertThat(thread.group(2))
                    .as(thread.group(1))
                    .matches(
                        "group=(system/portcullis)? daemon=true"
                            + " loader=(io\\.portcullis\\.agent\\.NestedJarClassLoader/\\S+|none)"
                            + " inherits=false"));
    return seen.stream().map(thread -> thread.group(1)).collect(Collectors.toSet());
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void interruptsDoNotEndLeadershipOnRedis(Path jdk) throws IOException, InterruptedException {
    TcpProxy proxy = stage.proxyTo(redis);
    String uri = "redis://" + proxy.host() + ":" + proxy.port();
    assertWithstandsInterrupts(fenced(AgentConf.redis(uri, LEASE)), proxy, jdk);
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void interruptsDoNotEndLeadershipOnPostgres(Path jdk) throws IOException, InterruptedException {
    TcpProxy proxy = stage.proxyTo(postgres);
    String address = postgres.host() + ":" + postgres.port();
    String url = postgres.url().replace(address, proxy.host() + ":" + proxy.port());
    assertWithstandsInterrupts(AgentConf.postgres(url, postgres.user(), LEASE), proxy, jdk);
  }

  /** Losing and restoring the store shows that log and engine still work. */
  private void assertWithstandsInterrupts(AgentConf conf, TcpProxy store, Path jdk)
      throws IOException, InterruptedException {
    conf.set("service", "interrupted" + Jdks.version(jdk)).rule(work(InterruptingService.class));
    ServiceJvm jvm =
        stage.start(
            "a", JvmLauncher.application(InterruptingService.class.getName()).conf(conf).jdk(jdk));

    jvm.awaitLog("interrupted: [portcullis, ");
    Awaitility.await("node leads after the interrupts").atMost(TIMEOUT).until(jvm::leads);
    store.dropSilently();
    Awaitility.await("node no longer leads").atMost(TIMEOUT).until(() -> !jvm.leads());
    int lines = jvm.output().stderr().size();
    store.heal();
    Awaitility.await("node leads again and logs it")
        .atMost(TIMEOUT)
        .until(
            () -> {
              List<String> log = jvm.output().stderr();
              return jvm.leads()
                  && log.subList(lines, log.size()).stream()
                      .anyMatch(line -> line.contains("election=writer"));
            });
    assertThat(jvm.output().stderr())
        .filteredOn(line -> line.contains("ignored an interrupt of its thread portcullis"))
        .hasSizeBetween(1, 5);
    assertThat(jvm.get("/healthz").status()).isEqualTo(200);
  }

  /** The application is the first to connect to a database other than the fence's own. */
  @ParameterizedTest
  @MethodSource("jdks")
  void fenceRetainsNothingOfTheFirstConnectingThread(Path jdk) throws IOException {
    String database = "visited" + Jdks.version(jdk);
    postgres.execute("create database " + database);
    AgentConf conf =
        fenced(AgentConf.redis(redis.uri(), LEASE))
            .set("service", database)
            .rule(work(GuestConnectionService.class));

    ServiceJvm jvm =
        stage.start(
            "a",
            JvmLauncher.application(GuestConnectionService.class.getName(), Artifacts.jobs())
                .argument(home())
                .argument(postgres.url(database))
                .argument(postgres.user())
                .conf(conf)
                .jdk(jdk));

    jvm.awaitLog("loader kept: ");
    assertThat(jvm.output().stdout())
        .containsExactly(
            "connected", "loader kept: false, value kept: false, connection valid: true");
  }

  /** Uses another host name than the application does. */
  private static String home() {
    return postgres.url("home").replace("127.0.0.1", "localhost");
  }

  private static AgentConf fenced(AgentConf conf) {
    return conf.set(
        "fences",
        "[ { id = main, url = \"%s\", user = \"%s\", match = \"jdbc:postgresql://*/*\" } ]"
            .formatted(home(), postgres.user()));
  }

  private static String work(Class<?> service) {
    return "{ id = work, match = \"" + service.getName() + "#work()\" }";
  }
}
