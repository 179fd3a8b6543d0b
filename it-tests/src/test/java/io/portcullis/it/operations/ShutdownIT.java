package io.portcullis.it.operations;

import static org.assertj.core.api.Assertions.assertThat;

import com.acme.app.HangingHookService;
import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.HandoverScenario;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.LeadershipLog;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.PostgresServer;
import io.portcullis.servers.RedisServer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class ShutdownIT {
  private static final Duration LEASE = Duration.ofSeconds(20);

  /**
   * Longer than any wait of a test, so a handover did not wait for its end. A Redis that has just
   * started grants no such lease.
   */
  private static final Duration LONG_LEASE = Duration.ofMinutes(5);

  private static final Duration LINGER = Duration.ofSeconds(2);

  @RegisterExtension static final TestEnvironment SERVERS = TestEnvironment.shared();

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  private static RedisServer redis;

  @BeforeAll
  static void startRedis() {
    redis = SERVERS.redis();
  }

  @Test
  void sigtermAllowsTheLastWriteThenHandsOver() throws IOException, InterruptedException {
    HandoverScenario.onSigterm(
        stage, AgentConf.ledger(redis.uri(), LEASE).set("service", "closing"), LEASE);
  }

  @Test
  void hangingShutdownHookKeepsTheLeaseOnlyForTheLinger() throws IOException, InterruptedException {
    PostgresServer postgres = stage.postgres();
    AgentConf conf =
        AgentConf.postgres(postgres.url(), postgres.user(), LONG_LEASE)
            .rule("{ id = work, match = \"com.acme.app.HangingHookService#work()\" }")
            .set("service", "stubborn")
            .set("elections.writer.shutdown-linger", LINGER.toMillis() + "ms");
    JvmLauncher launch = JvmLauncher.application(HangingHookService.class.getName()).conf(conf);
    ServiceJvm a = stage.start("a", launch.env("PORTCULLIS__node__id", "a"));
    a.awaitRole("LEADER");
    ServiceJvm b = stage.start("b", launch.env("PORTCULLIS__node__id", "b"));
    b.awaitRole("STANDBY");

    Instant told = Instant.now();
    a.terminate();
    a.awaitLog("hook works: done");
    b.awaitRole("LEADER");

    assertThat(a.isAlive()).as("hook still hangs").isTrue();
    LeadershipLog transcript = LeadershipLog.of(a, b);
    assertThat(transcript.violations(LONG_LEASE)).isEmpty();
    assertThat(Duration.between(told, transcript.grants().get(1).at()))
        .isGreaterThanOrEqualTo(LINGER);
    a.awaitLog("hook works: refused");
  }
}
