package io.portcullis.it.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.Signals;
import io.portcullis.it.support.TestEnvironment;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Freezes the leader after it passed the gate and opened its transaction, for longer than its
 * lease; another node leads and writes; then the first node continues.
 */
@Timeout(value = 1800, threadMode = ThreadMode.SEPARATE_THREAD)
class FrozenWriterIT {
  private static final int REPETITIONS = Integer.getInteger("portcullis.it.freezes", 20);

  /**
   * Without a fence late writes appear in most freezes, since a writer is nearly always inside a
   * transaction.
   */
  private static final int MAX_FREEZES_UNTIL_STALE_WRITE = 20;

  private static final long MAX_TRANSFER_NANOS = 60_000_000;

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  @BeforeAll
  static void needSignals() throws InterruptedException {
    assumeTrue(Signals.available(), "needs a system where a shell can send SIGSTOP with kill");
  }

  @Test
  void fenceRefusesWritesOfEarlierEpochsAfterALaterOne() throws IOException, InterruptedException {
    FencedDatabaseFixture vault = FencedDatabaseFixture.open(stage);
    List<ServiceJvm> nodes = start(vault, vault.fenced());

    for (int i = 0; i < REPETITIONS; i++) {
      freezeTheLeader(vault, nodes);
    }

    assertThat(vault.staleTransfers()).isEmpty();
    assertThat(vault.totalBalance()).isEqualTo(FencedDatabaseFixture.initialTotalBalance());
    assertThat(vault.inconsistentAccounts()).isEmpty();
  }

  /** Proves that the other test can fail: an entry gate alone cannot stop late writes. */
  @Test
  void withoutFenceLateWritesOfAFormerLeaderAreStored() throws IOException, InterruptedException {
    FencedDatabaseFixture vault = FencedDatabaseFixture.open(stage);
    List<ServiceJvm> nodes = start(vault, vault.unfenced());

    for (int i = 0; i < MAX_FREEZES_UNTIL_STALE_WRITE && vault.staleTransfers().isEmpty(); i++) {
      freezeTheLeader(vault, nodes);
    }

    assertThat(vault.staleTransfers()).isNotEmpty();
  }

  private List<ServiceJvm> start(FencedDatabaseFixture vault, AgentConf conf) throws IOException {
    return List.of(vault.start(stage, "a", conf), vault.start(stage, "b", conf));
  }

  private static void freezeTheLeader(FencedDatabaseFixture vault, List<ServiceJvm> nodes)
      throws IOException, InterruptedException {
    ServiceJvm leader = awaitLeader(nodes);
    ServiceJvm other = nodes.get(nodes.get(0) == leader ? 1 : 0);
    vault.awaitTransfersBy(leader.name());
    long anyPointOfIt = ThreadLocalRandom.current().nextLong(MAX_TRANSFER_NANOS);
    LockSupport.parkNanos(anyPointOfIt);
    Signals.stop(leader.handle());
    try {
      vault.awaitTransfersBy(other.name());
    } finally {
      Signals.resume(leader.handle());
    }
    leader.awaitRole("STANDBY");
    vault.awaitTransfersBy(other.name());
  }

  private static ServiceJvm awaitLeader(List<ServiceJvm> nodes) {
    return Awaitility.await("a leader")
        .atMost(FencedDatabaseFixture.TIMEOUT)
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> nodes.stream().filter(ServiceJvm::leads).toList(), leaders -> leaders.size() == 1)
        .get(0);
  }
}
