package io.portcullis.it.operate;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.it.fence.Vault;
import io.portcullis.it.support.JmxLink;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.Stage;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A node that is drained while a call of the service takes its time. */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class DrainIT {
  private static final long LONG_SECONDS = 120;

  @RegisterExtension final Stage stage = Stage.perTest();

  @Test
  void aDrainWaitsForASlowCallAndRefusesNewOnes() throws Exception {
    Vault vault = Vault.open(stage);
    ServiceJvm drained = vault.startWithSleeper(stage, "a", vault.unfenced()).awaitRole("LEADER");
    drained.awaitLog("inside under");
    vault.awaitTransfersBy("a");
    ServiceJvm next = vault.start(stage, "b", vault.unfenced()).awaitRole("STANDBY");

    try (JmxLink jmx = JmxLink.to(drained)) {
      jmx.drain(LONG_SECONDS);
      Awaitility.await("new calls are refused")
          .atMost(Vault.PATIENCE)
          .until(() -> (Long) jmx.get(JmxLink.rule("transfer"), "Blocked") > 0);
    }
    Awaitility.await("the lease is kept for the call that is inside")
        .during(Vault.LEASE.multipliedBy(2))
        .atMost(Vault.PATIENCE)
        .until(() -> !next.leads());
    long accepted = vault.transfersBy("a");
    vault.call();

    drained.awaitLog("entered");
    next.awaitRole("LEADER");
    assertThat(vault.entries()).anyMatch(entry -> entry.startsWith("a "));
    assertThat(vault.transfersBy("a")).isEqualTo(accepted);
  }
}
