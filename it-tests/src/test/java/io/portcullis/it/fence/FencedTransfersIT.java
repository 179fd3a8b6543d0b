package io.portcullis.it.fence;

import static org.assertj.core.api.SoftAssertions.assertSoftly;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.Signals;
import io.portcullis.it.support.TestEnvironment;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Kills and freezes three nodes of a bank in the middle of transfers. */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class FencedTransfersIT {
  private static final int FAULTS = Integer.getInteger("portcullis.it.faults", 6);

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  private final Map<String, ServiceJvm> nodes = new TreeMap<>();

  @BeforeAll
  static void needSignals() throws InterruptedException {
    assumeTrue(Signals.available(), "needs a system where a shell can send SIGSTOP with kill");
  }

  @Test
  void killsAndFreezesLoseNoMoneyAndNoEpochFalls() throws IOException, InterruptedException {
    FencedDatabaseFixture vault = FencedDatabaseFixture.open(stage);
    for (String name : List.of("a", "b", "c")) {
      start(vault, name);
    }

    for (int i = 0; i < FAULTS; i++) {
      ServiceJvm leader = awaitLeader();
      vault.awaitTransfersBy(leader.name());
      if (i % 2 == 0) {
        Signals.stop(leader.handle());
        try {
          awaitTransfersOfAnother(vault, leader);
        } finally {
          Signals.resume(leader.handle());
        }
      } else {
        leader.kill();
        awaitTransfersOfAnother(vault, leader);
        start(vault, leader.name());
      }
    }
    vault.awaitTransfersBy(awaitLeader().name());

    assertSoftly(
        all -> {
          all.assertThat(vault.staleTransfers()).isEmpty();
          all.assertThat(vault.totalBalance())
              .isEqualTo(FencedDatabaseFixture.initialTotalBalance());
          all.assertThat(vault.inconsistentAccounts()).isEmpty();
        });
  }

  private void start(FencedDatabaseFixture vault, String name) throws IOException {
    nodes.put(name, vault.start(stage, name, vault.fenced()));
  }

  private ServiceJvm awaitLeader() {
    return Awaitility.await("a leader")
        .atMost(FencedDatabaseFixture.TIMEOUT)
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> nodes.values().stream().filter(ServiceJvm::leads).findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }

  private static void awaitTransfersOfAnother(FencedDatabaseFixture vault, ServiceJvm node) {
    long before = vault.transfersNotBy(node.name());
    Awaitility.await("transfers by nodes other than " + node.name())
        .atMost(FencedDatabaseFixture.TIMEOUT)
        .until(() -> vault.transfersNotBy(node.name()) > before);
  }
}
