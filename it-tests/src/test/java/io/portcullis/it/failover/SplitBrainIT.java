package io.portcullis.it.failover;

import static io.portcullis.election.contract.TestTimeouts.MAX_WAIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.ClusterUnderLoad;
import io.portcullis.it.support.ConcurrentWrites;
import io.portcullis.it.support.DualLeaderDetector;
import io.portcullis.it.support.Elapsed;
import io.portcullis.it.support.JournalCheck;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.LeadershipLog;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.RedisServer;
import io.portcullis.servers.TcpProxy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class SplitBrainIT {
  private static final Duration LEASE = Duration.ofSeconds(3);
  private static final Duration PARTITION = Duration.ofSeconds(10);
  private static final long EACH_SECOND = 1_000_000_000L;

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  @Test
  void leaderCutOffFromRedisStopsBeforeTheOtherLeads() throws IOException, InterruptedException {
    RedisServer redis = stage.redis();
    TcpProxy network = stage.proxyTo(redis);
    Path journal = stage.folder("journal").resolve("journal.log");
    ServiceJvm a =
        stage.start(
            "a",
            JvmLauncher.demoService("a", journal)
                .conf(AgentConf.ledger("redis://127.0.0.1:" + network.port(), LEASE)));
    a.awaitRole("LEADER");
    ServiceJvm b =
        stage.start(
            "b", JvmLauncher.demoService("b", journal).conf(AgentConf.ledger(redis.uri(), LEASE)));
    b.awaitRole("STANDBY");

    DualLeaderDetector leader = stage.opened(DualLeaderDetector.over(a, b));
    DualLeaderDetector readyz =
        stage.opened(DualLeaderDetector.over("/readyz", EACH_SECOND, List.of(a, b)));
    ConcurrentWrites storm = stage.opened(ConcurrentWrites.at(a, b));
    Awaitility.await().atMost(MAX_WAIT).until(() -> storm.accepted() > 0);
    long cut = System.nanoTime();
    network.dropSilently();
    b.awaitRole("LEADER");
    assertThat(a.leads()).isFalse();
    Elapsed.await(PARTITION, cut);
    assertThat(b.leads()).isTrue();

    network.heal();
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> a.status().election().path("leader").asText().startsWith("b-"));
    leader.close();
    readyz.close();
    storm.close();

    assertThat(leader.violations()).isEmpty();
    assertThat(leader.claims()).extracting(DualLeaderDetector.Sample::node).contains("a", "b");
    assertThat(readyz.violations()).isEmpty();
    assertThat(readyz.samples()).hasSizeGreaterThan(10);
    LeadershipLog transcript = LeadershipLog.of(a, b);
    assertThat(transcript.leaders()).containsExactly("a", "b");
    assertThat(transcript.violations(LEASE)).isEmpty();
    assertThat(transcript.events())
        .anySatisfy(
            event -> {
              assertThat(event.granted()).isFalse();
              assertThat(event.node()).startsWith("a-");
            });
    JournalCheck witness = JournalCheck.read(journal);
    assertThat(witness.runs()).containsExactly("a", "b");
    assertThat(witness.contradictedResponses(storm.writes())).isEmpty();
  }

  @Test
  void leaderThatGetsNoRenewalResponsesStopsInTime() throws IOException, InterruptedException {
    RedisServer redis = stage.redis();
    TcpProxy network = stage.proxyTo(redis);
    ClusterUnderLoad trial = new ClusterUnderLoad(stage, LEASE);
    ServiceJvm a = trial.join("a", AgentConf.ledger("redis://127.0.0.1:" + network.port(), LEASE));
    a.awaitRole("LEADER");
    trial.join("b", AgentConf.ledger(redis.uri(), LEASE));
    long epoch = a.status().epoch();
    trial.awaitWrites();

    network.dropReplies();
    ServiceJvm b = trial.awaitLeaderAfter(epoch);
    assertThat(b.name()).isEqualTo("b");
    network.heal();
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> a.status().election().path("leader").asText().startsWith("b-"));

    assertThat(trial.stopAndCheck().leaders()).startsWith("a", "b");
  }
}
