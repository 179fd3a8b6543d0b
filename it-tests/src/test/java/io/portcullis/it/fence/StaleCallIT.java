package io.portcullis.it.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.portcullis.it.support.JmxConnection;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.Signals;
import io.portcullis.it.support.TestEnvironment;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A thread waits inside a gated call while its node loses leadership and wins it again. */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class StaleCallIT {
  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  @BeforeAll
  static void needSignals() throws InterruptedException {
    assumeTrue(Signals.available(), "needs a system where a shell can send SIGSTOP with kill");
  }

  @Test
  void staleCallIsRefusedAfterNodeLeadsAgain() throws Exception {
    FencedDatabaseFixture vault = FencedDatabaseFixture.open(stage);
    ServiceJvm sleeper = vault.startWithSleeper(stage, "a", vault.fenced()).awaitRole("LEADER");
    sleeper.awaitLog("inside under");
    ServiceJvm other = vault.start(stage, "b", vault.fenced()).awaitRole("STANDBY");

    Signals.stop(sleeper.handle());
    try {
      vault.awaitTransfersBy("b");
    } finally {
      Signals.resume(sleeper.handle());
    }
    sleeper.awaitRole("STANDBY");
    try (JmxConnection jmx = JmxConnection.to(other)) {
      jmx.invoke("stepDown");
    }
    sleeper.awaitRole("LEADER");
    vault.awaitTransfersBy("a");
    vault.releaseSleeper();

    sleeper.awaitLog("refused: io.portcullis.gate.NotLeaderException");
    assertThat(vault.entries()).noneMatch(entry -> entry.startsWith("a "));
    assertThat(vault.staleTransfers()).isEmpty();
  }
}
