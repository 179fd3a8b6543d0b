package io.portcullis.it.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.it.support.JournalWitness;
import io.portcullis.it.support.ScenarioRun;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.StoreEnvironment;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class QuorumKillsIT {
  /** As short as a busy machine allows: each kill costs one. */
  private static final Duration LEASE = Duration.ofMillis(1500);

  private static final int KILLS = 20;

  @RegisterExtension final StoreEnvironment stage = StoreEnvironment.perTest();

  @Test
  void ofTwentyLeadersKilledInARowNoneWritesBesideItsSuccessor()
      throws IOException, InterruptedException {
    QuorumCluster quorum = QuorumCluster.of(stage, LEASE, "a", "b", "c");
    ScenarioRun trial = quorum.trial();
    quorum.join("a", "b", "c");

    long epoch = 0;
    for (int kill = 0; kill < KILLS; kill++) {
      ServiceJvm leader = trial.awaitLeaderAfter(epoch);
      epoch = leader.status().epoch();
      trial.kill(leader);
      quorum.join(QuorumCluster.member(leader));
    }
    trial.awaitLeaderAfter(epoch);

    assertThat(trial.verdict().grants()).hasSizeGreaterThan(KILLS);
    assertThat(JournalWitness.read(trial.journal()).runs()).hasSizeGreaterThan(KILLS);
  }
}
