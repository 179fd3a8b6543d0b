package io.portcullis.it.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.ClusterUnderLoad;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.PostgresServer;
import java.io.IOException;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests a database that stops and restarts, or loses the election's data. */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class PostgresFaultIT {
  private static final Duration LEASE = Duration.ofSeconds(3);
  private static final Duration LONGER_LEASE = Duration.ofSeconds(5);

  @RegisterExtension static final TestEnvironment SERVERS = TestEnvironment.shared();

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  private static PostgresServer postgres;

  @BeforeAll
  static void requireControllablePostgres() {
    postgres = SERVERS.postgres();
    assumeTrue(postgres.isControllable(), "needs a Postgres that can be killed");
  }

  @Test
  void allRefuseWhileTheDatabaseIsDownThenOneLeads() throws IOException, InterruptedException {
    ClusterUnderLoad trial = new ClusterUnderLoad(stage, LEASE);
    trial.joinAll(conf(LEASE, "restarted"), "a", "b");
    long first = trial.awaitLeaderAfter(0).status().epoch();

    postgres.stop();
    trial.awaitNoLeader();
    for (ServiceJvm node : trial.nodes()) {
      assertThat(node.write().refused()).isTrue();
      assertThat(node.get("/healthz").status()).isEqualTo(200);
    }
    postgres.restart();
    long second = trial.awaitLeaderAfter(first).status().epoch();
    postgres.kill();
    postgres.restart();
    trial.awaitLeaderAfter(second);

    assertThat(trial.stopAndCheck().grants()).hasSizeGreaterThanOrEqualTo(3);
  }

  @Test
  void databaseStoppedBeyondTheLeaseLeavesNoLeader() throws IOException, InterruptedException {
    ClusterUnderLoad trial = new ClusterUnderLoad(stage, LEASE);
    trial.joinAll(conf(LEASE, "paused"), "a", "b");
    trial.awaitLeaderAfter(0);

    postgres.pause();
    trial.awaitNoLeader();
    postgres.resume();
    trial.awaitLeader();
    trial.awaitWrites();

    trial.stopAndCheck();
  }

  @Test
  void deletedRowNeverAllowsTwoLeaders() throws IOException, InterruptedException {
    ClusterUnderLoad trial = new ClusterUnderLoad(stage, LEASE);
    trial.joinAll(conf(LEASE, "deleted"), "a", "b");
    long first = trial.awaitLeaderAfter(0).status().epoch();

    postgres.execute("DELETE FROM deleted");
    trial.awaitLeaderAfter(first);

    trial.stopAndCheck();
  }

  @Test
  void renamedTableNeverAllowsTwoLeaders() throws IOException, InterruptedException {
    ClusterUnderLoad trial = new ClusterUnderLoad(stage, LEASE);
    AgentConf conf = conf(LEASE, "moving");
    trial.joinAll(conf, "a", "b");
    long first = trial.awaitLeaderAfter(0).status().epoch();

    postgres.execute("ALTER TABLE moving RENAME TO away");
    Awaitility.await("new table")
        .atMost(Duration.ofMinutes(2))
        .until(() -> postgres.query("SELECT to_regclass('moving')").equals("moving"));
    long second = trial.awaitLeaderAfter(first).status().epoch();
    postgres.execute("BEGIN; DROP TABLE moving; ALTER TABLE away RENAME TO moving; COMMIT");
    trial.awaitLeaderAfter(second);

    assertThat(trial.stopAndCheck().grants()).hasSizeGreaterThanOrEqualTo(3);
  }

  @Test
  void nodesWaitForTheLongestLeaseAfterTheRowIsDeleted() throws IOException, InterruptedException {
    String longest = LONGER_LEASE.toMillis() + "ms";
    String key = "elections.writer.timing.longest-lease";
    ClusterUnderLoad trial = new ClusterUnderLoad(stage, LONGER_LEASE);
    trial.join("long", conf(LONGER_LEASE, "mixed").set(key, longest));
    long first = trial.awaitLeaderAfter(0).status().epoch();
    trial.join("short", conf(LEASE, "mixed").set(key, longest));

    postgres.execute("DELETE FROM mixed");
    long second = trial.awaitLeaderAfter(first).status().epoch();
    postgres.restart();
    trial.awaitLeaderAfter(second);

    trial.stopAndCheck();
  }

  /**
   * The leader renews rarely: a node that did not wait for its lease would lead before the leader
   * notices.
   */
  private static AgentConf conf(Duration lease, String table) {
    return AgentConf.ledger(postgres, lease)
        .set("elections.writer.timing.renew", lease.toMillis() * 3 / 4 + "ms")
        .set("elections.writer.timing.jitter", "0%")
        .set("elections.writer.postgres.table", table);
  }
}
