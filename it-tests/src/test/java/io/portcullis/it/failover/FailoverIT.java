package io.portcullis.it.failover;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.AgentResponse;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.LeadershipLog;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.RedisServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class FailoverIT {
  private static final Duration LEASE = Duration.ofSeconds(3);

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  @Test
  void nodeStartedAfterLeaderKillLeadsWhenTheLeaseEnds() throws IOException, InterruptedException {
    RedisServer redis = stage.redis();
    Path journal = stage.folder("journal").resolve("journal.log");
    AgentConf conf = AgentConf.ledger(redis.uri(), LEASE);

    ServiceJvm a = stage.start("a", JvmLauncher.demoService("a", journal).conf(conf));
    a.awaitRole("LEADER");
    assertReportsItselfAsLeader(a);
    long epochOfA = a.status().epoch();
    assertThat(a.write().accepted()).isTrue();

    a.kill();
    ServiceJvm b = stage.start("b", JvmLauncher.demoService("b", journal).conf(conf));
    b.awaitRole("LEADER");

    assertReportsItselfAsLeader(b);
    assertThat(b.status().epoch()).isGreaterThan(epochOfA);
    assertThat(b.write().accepted()).isTrue();
    LeadershipLog transcript = LeadershipLog.of(a, b);
    assertThat(transcript.leaders()).containsExactly("a", "b");
    assertThat(transcript.violations(LEASE)).isEmpty();
  }

  @Test
  void standbyNamesLeaderAndRefusesWritesUntilItLeads() throws IOException, InterruptedException {
    RedisServer redis = stage.redis();
    Path journal = stage.folder("journal").resolve("journal.log");
    AgentConf conf = AgentConf.ledger(redis.uri(), LEASE);

    ServiceJvm a =
        stage.start(
            "a",
            JvmLauncher.demoService("a", journal)
                .conf(conf)
                .env("PORTCULLIS__node__advertise", "http://10.0.0.7:8080"));
    a.awaitRole("LEADER");
    ServiceJvm b = stage.start("b", JvmLauncher.demoService("b", journal).conf(conf));
    b.awaitRole("STANDBY");
    b.awaitLog("new leader leader=a-");

    AgentResponse standby = b.status();
    assertThat(standby.election().path("leader").asText()).startsWith("a-" + a.handle().pid());
    assertThat(standby.election().path("leaderAddress").asText()).isEqualTo("http://10.0.0.7:8080");
    assertThat(standby.election().path("leaseRemainingMillis").asLong()).isZero();
    assertThat(standby.epoch()).isEqualTo(a.status().epoch());
    assertThat(b.write())
        .satisfies(write -> assertThat(write.refused()).isTrue())
        .satisfies(
            write -> assertThat(write.answer()).contains("a-" + a.handle().pid(), "10.0.0.7:8080"));

    a.kill();
    b.awaitRole("LEADER");

    assertThat(b.write().accepted()).isTrue();
    assertThat(LeadershipLog.of(a, b).violations(LEASE)).isEmpty();
  }

  private static void assertReportsItselfAsLeader(ServiceJvm jvm)
      throws IOException, InterruptedException {
    for (String path : new String[] {"/healthz", "/readyz"}) {
      AgentResponse reply = jvm.get(path);
      assertThat(reply.status()).as(path).isEqualTo(200);
      assertThat(reply.role()).as(path).isEqualTo("LEADER");
      assertThat(reply.election().path("leader").asText())
          .as(path)
          .startsWith(jvm.name() + "-" + jvm.handle().pid() + "-");
    }
  }
}
