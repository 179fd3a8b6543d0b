package io.portcullis.it.failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.Jdks;
import io.portcullis.it.support.JournalCheck;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.KubernetesLeaseFixture;
import io.portcullis.it.support.LeadershipLog;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.Signals;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.it.support.WriteResult;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class FrozenLeaderIT {
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  /** Fewer than the service's threads, so no request is refused for lack of a thread. */
  private static final int WAITING = 14;

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  @BeforeAll
  static void needSignals() throws InterruptedException {
    assumeTrue(Signals.available(), "needs a system where a shell can send SIGSTOP with kill");
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void frozenLeaderRefusesWritesAfterWaking(Path jdk) throws IOException, InterruptedException {
    assertRefusedOnWaking(AgentConf.ledger(stage.redis().uri(), LEASE), jdk);
  }

  @Test
  void frozenLeaderOnPostgresRefusesWritesAfterWaking() throws IOException, InterruptedException {
    assertRefusedOnWaking(AgentConf.ledger(stage.postgres(), LEASE), Jdks.running());
  }

  @Test
  void frozenLeaderOnKubernetesRefusesWritesAfterWaking() throws IOException, InterruptedException {
    assertRefusedOnWaking(KubernetesLeaseFixture.inAnyCluster(stage).ledger(LEASE), Jdks.running());
  }

  /** Waits until no writes are in flight: those may be stored late after a freeze. */
  private void assertRefusedOnWaking(AgentConf conf, Path jdk)
      throws IOException, InterruptedException {
    Path journal = stage.folder("journal").resolve("journal.log");
    ServiceJvm a = stage.start("a", JvmLauncher.demoService("a", journal).conf(conf).jdk(jdk));
    a.awaitRole("LEADER");
    ServiceJvm b = stage.start("b", JvmLauncher.demoService("b", journal).conf(conf).jdk(jdk));
    b.awaitRole("STANDBY");
    assertThat(a.write().accepted()).isTrue();

    Signals.stop(a.handle());
    List<CompletableFuture<WriteResult>> waiting = new ArrayList<>();
    for (int i = 0; i < WAITING; i++) {
      waiting.add(a.writeAsync(TIMEOUT));
    }
    b.awaitRole("LEADER");
    assertThat(b.write().accepted()).isTrue();
    Signals.resume(a.handle());

    assertThat(waiting.stream().map(CompletableFuture::join))
        .hasSize(WAITING)
        .allSatisfy(write -> assertThat(write.refused()).as("%s", write).isTrue());
    assertThat(a.write().refused()).isTrue();
    a.awaitLog("lost leadership");
    assertThat(b.write().accepted()).isTrue();
    assertThat(JournalCheck.read(journal).runs()).containsExactly("a", "b");
    assertThat(LeadershipLog.of(a, b).violations(LEASE)).isEmpty();
  }

  static Stream<Path> jdks() {
    return Jdks.all();
  }
}
