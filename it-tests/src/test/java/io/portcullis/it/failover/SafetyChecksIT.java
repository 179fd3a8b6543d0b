package io.portcullis.it.failover;

import static io.portcullis.election.contract.TestTimeouts.MAX_WAIT;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.ConcurrentWrites;
import io.portcullis.it.support.DualLeaderDetector;
import io.portcullis.it.support.JournalCheck;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.LeadershipLog;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.RedisServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Proves that the safety checks can fail: they run on nodes that violate safety. */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class SafetyChecksIT {
  private static final Duration LEASE = Duration.ofSeconds(2);

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  @Test
  void journalCheckReportsUngatedWritesInObserveMode() throws IOException, InterruptedException {
    RedisServer redis = stage.redis();
    Path journal = stage.folder("journal").resolve("journal.log");
    AgentConf conf = AgentConf.ledger(redis.uri(), LEASE).set("mode", "observe");
    ServiceJvm a = stage.start("a", JvmLauncher.demoService("a", journal).conf(conf));
    a.awaitRole("LEADER");
    ServiceJvm b = stage.start("b", JvmLauncher.demoService("b", journal).conf(conf));
    b.awaitRole("STANDBY");

    ConcurrentWrites storm = stage.opened(ConcurrentWrites.at(a, b));
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> JournalCheck.read(journal).runs().size() > 10);
    storm.close();

    assertThat(storm.writes()).allSatisfy(write -> assertThat(write.accepted()).isTrue());
    JournalCheck witness = JournalCheck.read(journal);
    assertThat(witness.violations(LeadershipLog.of(a, b).leaders())).isNotEmpty();
    assertThat(b.status().json().path("mode").asText()).isEqualTo("observe");
    JsonNode rule = b.status().json().path("rules").get(0);
    assertThat(rule.path("mode").asText()).isEqualTo("observe");
    assertThat(rule.path("blocked").asLong()).isZero();
    assertThat(rule.path("observed").asLong())
        .isEqualTo(witness.entries().stream().filter(entry -> entry.writer().equals("b")).count());
    assertThat(a.status().json().path("rules").get(0).path("passed").asLong()).isPositive();
  }

  @Test
  void twoLeadersAreReportedFromResponsesAndLogs() throws IOException, InterruptedException {
    RedisServer redis = stage.redis();
    Path journal = stage.folder("journal").resolve("journal.log");
    ServiceJvm a = stage.start("a", JvmLauncher.demoService("a", journal).conf(conf(redis, "one")));
    ServiceJvm b =
        stage.start("b", JvmLauncher.demoService("b", journal).conf(conf(redis, "other")));
    a.awaitRole("LEADER");
    b.awaitRole("LEADER");

    DualLeaderDetector watch = stage.opened(DualLeaderDetector.over(a, b));
    Awaitility.await().atMost(MAX_WAIT).until(() -> !watch.violations().isEmpty());

    assertThat(LeadershipLog.of(a, b).violations(Duration.ofMinutes(1))).isNotEmpty();
  }

  private static AgentConf conf(RedisServer redis, String service) {
    return AgentConf.ledger(redis.uri(), LEASE).set("service", service);
  }
}
