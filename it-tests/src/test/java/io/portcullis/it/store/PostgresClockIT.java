package io.portcullis.it.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.ClusterUnderLoad;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.PostgresServer;
import java.io.IOException;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class PostgresClockIT {
  private static final Duration LEASE = Duration.ofSeconds(3);

  /** A role whose sessions get the time from a function of this test. */
  private static final String CLOCK_SHIM_SQL =
      """
      CREATE SCHEMA shim;
      CREATE TABLE shim.clock (step interval NOT NULL);
      INSERT INTO shim.clock VALUES ('0');
      CREATE FUNCTION shim.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
        AS 'SELECT pg_catalog.clock_timestamp() + step FROM shim.clock';
      CREATE ROLE stepped LOGIN;
      GRANT ALL ON SCHEMA shim TO stepped;
      GRANT SELECT ON shim.clock TO stepped;
      ALTER ROLE stepped SET search_path = shim, pg_catalog, public;
      """;

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  private PostgresServer postgres;

  @BeforeEach
  void startPostgres() {
    postgres = stage.opened(PostgresServer.startLocal());
    postgres.execute(CLOCK_SHIM_SQL);
  }

  @Test
  void steppedDatabaseClockChangesNothing() throws IOException, InterruptedException {
    ClusterUnderLoad trial = new ClusterUnderLoad(stage, LEASE);
    trial.joinAll(AgentConf.ledgerOnPostgres(postgres.url(), "stepped", LEASE), "a", "b");
    ServiceJvm leader = trial.awaitLeaderAfter(0);
    long first = leader.status().epoch();

    step("5 hours");
    trial.awaitWrites();
    step("-5 hours");
    trial.awaitWrites();
    assertThat(leader.status().epoch()).as("clock step alone changes nothing").isEqualTo(first);

    step("5 hours");
    long second = awaitSuccessorOnceTheRowIsLost(trial, first);
    step("-5 hours");
    long third = awaitSuccessorOnceTheRowIsLost(trial, second);
    trial.kill(trial.awaitLeader());
    step("3 hours");
    trial.awaitLeaderAfter(third);

    assertThat(trial.stopAndCheck().grants()).hasSizeGreaterThanOrEqualTo(4);
  }

  /** Steps the clock, and returns when a heartbeat has the new time. */
  private void step(String by) {
    postgres.execute("UPDATE shim.clock SET step = '" + by + "'");
    Awaitility.await("heartbeat at " + by)
        .atMost(Duration.ofMinutes(2))
        .until(
            () ->
                postgres
                    .query(
                        "SELECT abs(extract(epoch FROM last_heartbeat - now() - '"
                            + by
                            + "'::interval)) < 600 FROM shim.portcullis_leader")
                    .equals("t"));
  }

  private long awaitSuccessorOnceTheRowIsLost(ClusterUnderLoad trial, long epoch)
      throws IOException, InterruptedException {
    postgres.execute("DELETE FROM shim.portcullis_leader");
    return trial.awaitLeaderAfter(epoch).status().epoch();
  }
}
