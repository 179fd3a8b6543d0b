package io.portcullis.it.failover;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.DualLeaderDetector;
import io.portcullis.it.support.JournalCheck;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.LeadershipLog;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.it.support.WriteResult;
import io.portcullis.servers.RedisServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class ConcurrentStartIT {
  /** Long enough for a busy machine that starts all of them. */
  private static final Duration LEASE = Duration.ofSeconds(6);

  private static final long PAUSE_NANOS = 50_000_000;
  private static final int NODES = 6;

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  @Test
  void exactlyOneOfSixServicesStartedTogetherLeads() throws IOException, InterruptedException {
    RedisServer redis = stage.redis();
    Path journal = stage.folder("journal").resolve("journal.log");
    AgentConf conf = AgentConf.ledger(redis.uri(), LEASE);

    List<ServiceJvm> nodes = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      String id = "n" + i;
      nodes.add(stage.start(id, JvmLauncher.demoService(id, journal).conf(conf)));
    }
    DualLeaderDetector watch = stage.opened(DualLeaderDetector.over("/leader", PAUSE_NANOS, nodes));
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> nodes.stream().map(ConcurrentStartIT::leaderSeenBy).distinct().count() == 1);
    List<WriteResult> writes = nodes.stream().map(ServiceJvm::write).toList();
    watch.close();

    assertThat(watch.violations()).isEmpty();
    assertThat(nodes.stream().filter(ServiceJvm::leads)).hasSize(1);
    assertThat(writes.stream().filter(WriteResult::accepted)).hasSize(1);
    assertThat(writes.stream().filter(WriteResult::refused)).hasSize(NODES - 1);
    LeadershipLog transcript = LeadershipLog.of(nodes);
    assertThat(transcript.violations(LEASE)).isEmpty();
    assertThat(JournalCheck.read(journal).violations(transcript.leaders())).isEmpty();
  }

  /** The leader that a node reports, or the node's own name if it knows none. */
  private static String leaderSeenBy(ServiceJvm jvm) {
    try {
      String leader = jvm.status().election().path("leader").asText();
      return leader.startsWith("n") && !leader.equals("null") ? leader : jvm.name();
    } catch (IOException e) {
      return jvm.name();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return jvm.name();
    }
  }
}
