package io.portcullis.it.apps;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.Artifacts;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.RedisServer;
import java.io.IOException;
import java.time.Duration;
import javax.management.JMException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A task that the JDK's own scheduler runs at a fixed rate. */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class SchedulerIT {
  private static final Duration LEASE = Duration.ofSeconds(4);
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  @RegisterExtension static final TestEnvironment SERVERS = TestEnvironment.shared();

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  private static RedisServer redis;

  @BeforeAll
  static void startRedis() {
    redis = SERVERS.redis();
  }

  @Test
  void skippedScheduledTaskRunsOnTheCurrentLeader() throws IOException, JMException {
    LeaderStandbyPair pair = start("skip");

    awaitTick(pair.leader());
    RuleStatus.awaitBlocked(pair.standby(), "ticks", 3);
    assertThat(ticks(pair.standby())).isZero();

    pair.switchLeader();
    awaitTick(pair.leader());
    assertStopped(pair.standby());

    pair.switchLeader();
    awaitTick(pair.leader());
    assertStopped(pair.standby());
  }

  @Test
  void throwingRefusalCancelsAScheduledTask() throws IOException, JMException {
    LeaderStandbyPair pair = start("throw");
    ServiceJvm onceStandby = pair.standby();
    onceStandby.awaitLog("no more ticks: io.portcullis.gate.NotLeaderException");

    pair.switchLeader();

    assertThat(pair.leader()).isSameAs(onceStandby);
    pair.standby().awaitLog("no more ticks: io.portcullis.gate.NotLeaderException");
    assertThat(ticks(onceStandby)).as("the scheduler has forgotten the task").isZero();
  }

  private LeaderStandbyPair start(String action) throws IOException {
    AgentConf conf =
        AgentConf.redis(redis.uri(), LEASE)
            .rule("{ id = ticks, match = \"com.acme.jobs.Ticker#run()\", action = " + action + " }")
            .set("service", "ticker-" + action);
    return LeaderStandbyPair.start(
        stage, name -> JvmLauncher.program(Artifacts.jobs(), "com.acme.jobs.Ticker").conf(conf));
  }

  private static void assertStopped(ServiceJvm standby) {
    long before = ticks(standby);
    RuleStatus.awaitBlocked(standby, "ticks", 3);
    assertThat(ticks(standby)).isEqualTo(before);
  }

  private static void awaitTick(ServiceJvm jvm) {
    long before = ticks(jvm);
    Awaitility.await(jvm.name() + " ticks").atMost(TIMEOUT).until(() -> ticks(jvm) > before);
  }

  private static long ticks(ServiceJvm jvm) {
    return jvm.output().stdout().stream().filter("tick"::equals).count();
  }
}
