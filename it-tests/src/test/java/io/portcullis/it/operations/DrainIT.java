package io.portcullis.it.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.it.fence.FencedDatabaseFixture;
import io.portcullis.it.support.JmxConnection;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Drains a node during a slow call of the service. */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class DrainIT {
  private static final long LONG_SECONDS = 120;

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  @Test
  void drainWaitsForSlowCallsAndRefusesNewOnes() throws Exception {
    FencedDatabaseFixture vault = FencedDatabaseFixture.open(stage);
    ServiceJvm drained = vault.startWithSleeper(stage, "a", vault.unfenced()).awaitRole("LEADER");
    drained.awaitLog("inside under");
    vault.awaitTransfersBy("a");
    ServiceJvm next = vault.start(stage, "b", vault.unfenced()).awaitRole("STANDBY");

    try (JmxConnection jmx = JmxConnection.to(drained)) {
      jmx.drain(LONG_SECONDS);
      Awaitility.await("new calls are refused")
          .atMost(FencedDatabaseFixture.TIMEOUT)
          .until(() -> (Long) jmx.get(JmxConnection.rule("transfer"), "Blocked") > 0);
    }
    Awaitility.await("lease is kept for the call in flight")
        .during(FencedDatabaseFixture.LEASE.multipliedBy(2))
        .atMost(FencedDatabaseFixture.TIMEOUT)
        .until(() -> !next.leads());
    long accepted = vault.transfersBy("a");
    vault.releaseSleeper();

    drained.awaitLog("entered");
    next.awaitRole("LEADER");
    assertThat(vault.entries()).anyMatch(entry -> entry.startsWith("a "));
    assertThat(vault.transfersBy("a")).isEqualTo(accepted);
  }
}
