package io.portcullis.it.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.ClusterUnderLoad;
import io.portcullis.it.support.LeadershipLog;
import io.portcullis.it.support.LeaseRowCheck;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.PostgresServer;
import io.portcullis.servers.TcpProxy;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests leaders whose database session is terminated, hangs, or loses its network. */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class PostgresSessionIT {
  private static final Duration LEASE = Duration.ofSeconds(3);

  /** Long enough that a busy machine finishes a short stall before it has passed twice. */
  private static final Duration LONGER_LEASE = Duration.ofSeconds(4);

  /**
   * The guaranteed failover time after a silent failure of the leader, in addition to its lease.
   */
  private static final Duration MAX_TAKEOVER_DELAY = Duration.ofSeconds(5);

  /** Additional time on a busy machine. */
  private static final Duration HEADROOM = Duration.ofMinutes(1);

  private static final int TERMINATIONS = 20;

  @RegisterExtension static final TestEnvironment SERVERS = TestEnvironment.shared();

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  private static PostgresServer postgres;

  @BeforeAll
  static void requireControllablePostgres() {
    postgres = SERVERS.postgres();
    assumeTrue(postgres.isControllable(), "needs a Postgres whose processes can be stopped");
  }

  @Test
  void sessionTerminationNeverAllowsTwoWriters() throws IOException, InterruptedException {
    ClusterUnderLoad trial = new ClusterUnderLoad(stage, LEASE);
    trial.joinAll(conf("terminated", LEASE), "a", "b");

    trial.awaitLeader();
    LeaseRowCheck row = LeaseRowCheck.over(postgres, "terminated");

    int ended = 0;
    while (ended < TERMINATIONS) {
      long epoch = trial.awaitLeaderAfter(0).status().epoch();
      String sql = "SELECT pg_terminate_backend(backend_pid) FROM terminated WHERE epoch = ";
      ended += postgres.query(sql + epoch).equals("t") ? 1 : 0;
      trial.awaitLeaderAfter(epoch);
    }

    assertThat(trial.stopAndCheck().grants()).hasSizeGreaterThan(TERMINATIONS);
    assertThat(row.violations(LEASE)).isEmpty();
    assertThat(row.takeovers()).isGreaterThanOrEqualTo(TERMINATIONS);
  }

  @Test
  void silentlyCutOffLeaderStopsBeforeTheStandbyLeads() throws IOException, InterruptedException {
    TcpProxy network = stage.proxyTo(postgres);
    String behind = "jdbc:postgresql://" + network.host() + ":" + network.port() + "/postgres";
    ClusterUnderLoad trial = new ClusterUnderLoad(stage, LEASE);
    ServiceJvm a =
        trial.join(
            "a",
            AgentConf.ledgerOnPostgres(behind, postgres.user(), LEASE)
                .set("elections.writer.postgres.table", "silent"));
    a.awaitRole("LEADER");
    ServiceJvm b = trial.join("b", conf("silent", LEASE));
    LeaseRowCheck row = LeaseRowCheck.over(postgres, "silent");
    trial.awaitWrites();
    long epoch = a.status().epoch();

    Instant cut = Instant.now();
    network.dropSilently();
    assertThat(trial.awaitLeaderAfter(epoch)).isSameAs(b);
    network.heal();
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> a.status().election().path("leader").asText().startsWith("b-"));

    LeadershipLog transcript = trial.stopAndCheck();
    assertThat(row.violations(LEASE)).isEmpty();
    assertThat(transcript.leaders()).containsExactly("a", "b");
    Instant shut =
        transcript.events().stream()
            .filter(event -> !event.granted() && event.epoch() == epoch)
            .reduce((earlier, later) -> later)
            .orElseThrow()
            .at();
    assertThat(transcript.grants().get(1).at())
        .isAfterOrEqualTo(shut)
        .isBefore(cut.plus(LEASE).plus(MAX_TAKEOVER_DELAY).plus(HEADROOM));
  }

  @Test
  void hungHeartbeatShutsTheGateAndReopensSameEpoch() throws IOException, InterruptedException {
    ClusterUnderLoad trial = new ClusterUnderLoad(stage, LONGER_LEASE);
    ServiceJvm a = trial.join("a", conf("stalled", LONGER_LEASE));
    long epoch = trial.awaitLeaderAfter(0).status().epoch();

    int backend = backendOf("stalled");
    postgres.pauseBackend(backend);
    trial.awaitNoLeader();
    assertThat(a.write().refused()).isTrue();
    postgres.resumeBackend(backend);
    trial.awaitLeader();
    trial.awaitWrites();

    assertThat(a.status().epoch()).isEqualTo(epoch);
    LeadershipLog transcript = trial.stopAndCheck();
    assertThat(transcript.grants()).hasSize(1);
    assertThat(transcript.reopenings()).isNotEmpty();
  }

  @Test
  void lateHeartbeatAfterTakeoverDoesNotOpenTheGate() throws IOException, InterruptedException {
    ClusterUnderLoad trial = new ClusterUnderLoad(stage, LEASE);
    ServiceJvm a = trial.join("a", conf("overtaken", LEASE));
    long epoch = trial.awaitLeaderAfter(0).status().epoch();
    ServiceJvm b = trial.join("b", conf("overtaken", LEASE));

    int backend = backendOf("overtaken");
    postgres.pauseBackend(backend);
    trial.awaitNoLeader();
    assertThat(trial.awaitLeaderAfter(epoch)).isSameAs(b);
    postgres.resume();
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> a.status().election().path("leader").asText().startsWith("b-"));
    trial.awaitWrites();

    assertThat(trial.stopAndCheck().leaders()).containsExactly("a", "b");
  }

  private static AgentConf conf(String table, Duration lease) {
    return AgentConf.ledger(postgres, lease).set("elections.writer.postgres.table", table);
  }

  private static int backendOf(String table) {
    return Integer.parseInt(postgres.query("SELECT backend_pid FROM " + table));
  }
}
