package io.portcullis.it.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.LeadershipLog;
import io.portcullis.it.support.LeadershipLog.Event;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class PostgresCrashIT {
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final int CRASHES = 5;

  /** A server that loses the last seconds in a crash unless its sessions prevent it. */
  private static final String[] ASYNC_COMMIT_SETTINGS = {
    "synchronous_commit = off",
    "wal_writer_delay = 10s",
    "wal_writer_flush_after = 1GB",
    "checkpoint_timeout = 1h",
    "autovacuum = off"
  };

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  /**
   * Each leader ends together with the server just after its grant, and each successor has seen
   * nothing before, so only the database can know of that grant.
   */
  @Test
  void databaseCrashAfterTakeoverKeepsTheEpoch() throws IOException, InterruptedException {
    PostgresServer postgres = stage.postgres(ASYNC_COMMIT_SETTINGS);
    assumeTrue(postgres.isControllable(), "needs a Postgres that can be killed");
    Path journal = stage.folder("journal").resolve("journal.log");
    AgentConf conf = AgentConf.ledger(postgres, LEASE);
    List<ServiceJvm> nodes = new ArrayList<>();
    nodes.add(stage.start("n0", JvmLauncher.demoService("n0", journal).conf(conf)));
    nodes.get(0).awaitLog(" became leader ");
    postgres.execute("CHECKPOINT"); // The table is never dropped.

    for (int i = 1; i <= CRASHES; i++) {
      ServiceJvm before = nodes.get(i - 1);
      postgres.kill();
      before.kill();
      String id = "n" + i;
      ServiceJvm next = stage.start(id, JvmLauncher.demoService(id, journal).conf(conf));
      nodes.add(next);
      postgres.restart();
      next.awaitLog(" became leader ");
    }

    LeadershipLog transcript = LeadershipLog.of(nodes);
    assertThat(transcript.grants()).hasSize(CRASHES + 1);
    assertThat(transcript.violations(LEASE)).isEmpty();
    assertThat(transcript.events().stream().filter(Event::granted))
        .extracting(Event::epoch)
        .doesNotHaveDuplicates();
  }
}
