package io.portcullis.it.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.it.support.ClusterUnderLoad;
import io.portcullis.it.support.JournalCheck;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class QuorumKillsIT {
  /** As short as a busy machine allows: each kill waits for one lease. */
  private static final Duration LEASE = Duration.ofMillis(1500);

  private static final int KILLS = 20;

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  @Test
  void twentyLeaderKillsCauseNoOverlappingWrites() throws IOException, InterruptedException {
    QuorumCluster quorum = QuorumCluster.of(stage, LEASE, "a", "b", "c");
    ClusterUnderLoad trial = quorum.underLoad();
    quorum.join("a", "b", "c");

    long epoch = 0;
    for (int kill = 0; kill < KILLS; kill++) {
      ServiceJvm leader = trial.awaitLeaderAfter(epoch);
      epoch = leader.status().epoch();
      trial.kill(leader);
      quorum.join(QuorumCluster.member(leader));
    }
    trial.awaitLeaderAfter(epoch);

    assertThat(trial.stopAndCheck().grants()).hasSizeGreaterThan(KILLS);
    assertThat(JournalCheck.read(trial.journal()).runs()).hasSizeGreaterThan(KILLS);
  }
}
