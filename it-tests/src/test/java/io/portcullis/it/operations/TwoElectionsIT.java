package io.portcullis.it.operations;

import static io.portcullis.election.contract.TestTimeouts.MAX_WAIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.JmxConnection;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class TwoElectionsIT {
  private static final Duration LEASE = Duration.ofSeconds(4);

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  @Test
  void drainOfOneElectionKeepsLeadershipOfTheOther() throws Exception {
    RedisServer redis = stage.redis();
    Path journal = stage.folder("journal").resolve("journal.log");
    AgentConf conf =
        AgentConf.redis(redis.uri(), LEASE)
            .rule(
                "{ id = append, match = \"com.acme.ledger.Ledger#append(..)\", election = writer }")
            .rule(
                "{ id = read, match = \"com.acme.ledger.Ledger#newest(int)\", election = reporter }")
            .set("elections.reporter", "${portcullis.elections.writer}");
    ServiceJvm a = stage.start("a", JvmLauncher.demoService("a", journal).conf(conf));
    Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> a.get("/leader").status() == 200);
    ServiceJvm b = stage.start("b", JvmLauncher.demoService("b", journal).conf(conf));
    b.awaitRole("STANDBY");

    try (JmxConnection jmx = JmxConnection.to(a)) {
      Awaitility.await().atMost(MAX_WAIT).until(() -> jmx.has(JmxConnection.election()));
      jmx.drain(10);
    }
    b.awaitRole("LEADER");
    a.awaitRole("DRAINED");

    assertThat(a.get("/leader/writer").status()).isEqualTo(503);
    assertThat(a.get("/leader/reporter").status()).isEqualTo(200);
    assertThat(a.get("/leader").status()).isEqualTo(503);
    assertThat(b.get("/leader/writer").status()).isEqualTo(200);
    assertThat(b.get("/leader/reporter").status()).isEqualTo(503);
    assertThat(a.write().refused()).isTrue();
    assertThat(b.write().accepted()).isTrue();
  }
}
