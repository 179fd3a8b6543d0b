package io.portcullis.it.apps;

import static org.assertj.core.api.Assertions.assertThat;

import com.acme.app.LeaderOnlyService;
import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.JmxConnection;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import java.io.IOException;
import java.time.Duration;
import javax.management.JMException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests an application that annotates its methods. */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class LeaderOnlyIT {
  private static final Duration LEASE = Duration.ofSeconds(4);
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  @Test
  void eachLeaderOnlyAnnotationFollowsItsElection() throws IOException, JMException {
    ServiceJvm jvm = stage.start("a", launch());
    Awaitility.await().atMost(TIMEOUT).until(() -> jvm.get("/leader").status() == 200);
    assertThat(OutputRounds.next(jvm)).containsExactly("aggregated", "counted", "written");

    try (JmxConnection jmx = JmxConnection.to(jvm)) {
      Awaitility.await().atMost(TIMEOUT).until(() -> jmx.has(JmxConnection.election()));
      jmx.drain(10);
    }

    jvm.awaitRole("DRAINED");
    assertThat(OutputRounds.next(jvm)).containsExactly("aggregated", "counted", "not written");
  }

  @Test
  void leaderOnlyForUnknownElectionStopsTheJvm() throws IOException, InterruptedException {
    ServiceJvm jvm = stage.start("a", launch().argument("stray"));

    assertThat(jvm.awaitExit()).isEqualTo(70);
    assertThat(jvm.output().stderr())
        .anyMatch(
            line ->
                line.contains("LeaderOnlyService$Stray")
                    && line.contains("@LeaderOnly for election 'agregation'"));
  }

  private JvmLauncher launch() {
    return JvmLauncher.application(LeaderOnlyService.class.getName())
        .conf(
            AgentConf.redis(stage.redis().uri(), LEASE)
                .set("elections.aggregation", "${portcullis.elections.writer}")
                .set("rule-sets", "[ leader-only ]"));
  }
}
