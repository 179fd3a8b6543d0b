package io.portcullis.it.startup;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests transient faults of the environment at startup: the service runs, and the log names the
 * problem.
 */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class StartupFaultsIT {
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final String PASSWORD = "s3cr3t-w0rd";
  private static final String WRONG_PASSWORD = "wr0ng-w0rd";

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  @Test
  void nodeStartedBeforeRedisRefusesAndLeadsLater() throws IOException, InterruptedException {
    RedisServer redis = stage.redis();
    redis.kill();

    ServiceJvm a = start(AgentConf.ledger(redis.uri(), LEASE));
    a.awaitLog(line -> line.contains("portcullis") && line.contains(":" + redis.port()));
    assertThat(a.write().refused()).isTrue();
    assertThat(a.get("/healthz").status()).isEqualTo(200);
    assertThat(a.get("/readyz").status()).isEqualTo(503);
    assertThat(a.get("/leader").status()).isEqualTo(503);
    redis.restart();
    a.awaitRole("LEADER");

    assertThat(a.get("/readyz").status()).isEqualTo(200);
    assertThat(a.write().accepted()).isTrue();
  }

  @Test
  void occupiedHttpPortIsLoggedAndElectionContinues() throws IOException {
    RedisServer redis = stage.redis();
    ServiceJvm a;
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(taken.getLocalPort());
      a = start(AgentConf.ledger(redis.uri(), LEASE).set("http.port", port));

      a.awaitLog(line -> line.contains("portcullis") && line.contains(":" + port));
      a.awaitLog("became leader");

      assertThat(a.write().accepted()).isTrue();
    }
    a.awaitRole("LEADER");
  }

  @Test
  void wrongRedisPasswordIsReportedWithoutPrintingIt() throws IOException, InterruptedException {
    RedisServer redis = stage.redis("requirepass " + PASSWORD);
    Path secret = Files.writeString(stage.folder("secret").resolve("redis"), WRONG_PASSWORD + "\n");

    ServiceJvm a =
        start(
            AgentConf.ledger(redis.uri(), LEASE)
                .set("elections.writer.redis.password-file", "\"" + secret + "\""));
    a.awaitLog(
        line -> line.contains("portcullis") && line.toLowerCase(Locale.ROOT).contains("password"));

    assertThat(a.leads()).isFalse();
    assertThat(a.output().all() + a.status().body()).doesNotContain(WRONG_PASSWORD);
  }

  @Test
  void redisPasswordIsReadFromFileOrEnvironment() throws IOException {
    RedisServer redis = stage.redis("requirepass " + PASSWORD);
    Path secret = Files.writeString(stage.folder("secret").resolve("redis"), PASSWORD + "\n");

    ServiceJvm byFile =
        start(
            AgentConf.ledger(redis.uri(), LEASE)
                .set("service", "by-file")
                .set("elections.writer.redis.password-file", "\"" + secret + "\""));
    ServiceJvm byEnvironment =
        stage.start(
            "b",
            JvmLauncher.demoService("b", stage.folder("journal").resolve("journal.log"))
                .conf(AgentConf.ledger(redis.uri(), LEASE).set("service", "by-environment"))
                .env("PORTCULLIS__elections__writer__redis__password", PASSWORD));

    byFile.awaitRole("LEADER");
    byEnvironment.awaitRole("LEADER");
    assertThat(byFile.output().all() + byEnvironment.output().all()).doesNotContain(PASSWORD);
  }

  private ServiceJvm start(AgentConf conf) throws IOException {
    Path journal = stage.folder("journal").resolve("journal.log");
    return stage.start("a", JvmLauncher.demoService("a", journal).conf(conf));
  }
}
