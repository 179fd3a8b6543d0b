package io.portcullis.it.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.ClusterUnderLoad;
import io.portcullis.it.support.HandoverScenario;
import io.portcullis.it.support.JournalCheck;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.LeadershipLog;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests normal operation of two services on one database; each test has its own table, which can be
 * led at once.
 */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class PostgresIT {
  private static final Duration LEASE = Duration.ofSeconds(3);

  /** Longer than any wait of a test, so a handover did not wait for its end. */
  private static final Duration LONG_LEASE = Duration.ofMinutes(5);

  /** Additional failover time on a busy machine. */
  private static final Duration HEADROOM = Duration.ofMinutes(1);

  @RegisterExtension static final TestEnvironment SERVERS = TestEnvironment.shared();

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  private static PostgresServer postgres;

  @BeforeAll
  static void startPostgres() {
    postgres = SERVERS.postgres();
  }

  @Test
  void oneOfTwoServicesActsAndTheOtherNamesIt() throws IOException, InterruptedException {
    Path journal = stage.folder("journal").resolve("journal.log");
    AgentConf conf = conf(LEASE, "daily");
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

    assertThat(a.write().accepted()).isTrue();
    assertThat(b.write())
        .satisfies(write -> assertThat(write.refused()).isTrue())
        .satisfies(
            write ->
                assertThat(write.answer())
                    .contains("does not lead", "a-" + a.handle().pid(), "http://10.0.0.7:8080"));
    assertThat(a.status().election().path("backend").asText()).isEqualTo("postgres");
    assertThat(b.status().election().path("backend").asText()).isEqualTo("postgres");
    assertThat(b.status().epoch()).isEqualTo(a.status().epoch());
    assertThat(JournalCheck.read(journal).runs()).containsExactly("a");
  }

  @Test
  void startAndTransitionLogLinesContainTheScopeKey() throws IOException, InterruptedException {
    Path journal = stage.folder("journal").resolve("journal.log");
    AgentConf conf = conf(LEASE, "marked");
    ServiceJvm a = stage.start("a", JvmLauncher.demoService("a", journal).conf(conf));
    a.awaitRole("LEADER");
    String mark = "scope_key=" + postgres.query("SELECT scope_key FROM marked");
    ServiceJvm b = stage.start("b", JvmLauncher.demoService("b", journal).conf(conf));
    b.awaitLog("new leader leader=a-");
    a.terminate();
    a.awaitExit();
    b.awaitRole("LEADER");

    a.awaitLog(line -> line.contains(" store=Postgres at ") && line.contains(" " + mark));
    assertThat(a.awaitLog(" became leader ").text()).contains(" " + mark + " level=");
    assertThat(a.awaitLog(" lost leadership ").text()).contains(" " + mark + " level=");
    assertThat(b.awaitLog(" new leader ").text()).contains(" " + mark + " level=");
  }

  @Test
  void standbyLeadsWhenTheKilledLeadersLeaseEnds() throws IOException, InterruptedException {
    ClusterUnderLoad trial = new ClusterUnderLoad(stage, LEASE);
    trial.joinAll(conf(LEASE, "killed"), "a", "b");
    ServiceJvm leader = trial.awaitLeaderAfter(0);
    long epoch = leader.status().epoch();

    Instant killed = Instant.now();
    trial.kill(leader);
    ServiceJvm successor = trial.awaitLeaderAfter(epoch);

    assertThat(successor).isNotSameAs(leader);
    LeadershipLog transcript = trial.stopAndCheck();
    assertThat(transcript.leaders()).containsExactly(leader.name(), successor.name());
    assertThat(Duration.between(killed, transcript.grants().get(1).at()))
        .isLessThan(LEASE.plus(HEADROOM));
  }

  @Test
  void sigtermHandsOverLongBeforeTheLeaseEnds() throws IOException, InterruptedException {
    HandoverScenario.onSigterm(stage, conf(LONG_LEASE, "ended"), LONG_LEASE);
  }

  private static AgentConf conf(Duration lease, String table) {
    return AgentConf.ledger(postgres, lease).set("elections.writer.postgres.table", table);
  }
}
