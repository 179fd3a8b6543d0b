package io.portcullis.it.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** Two services of which the leader is terminated; the same on every store. */
public final class HandoverScenario {
  private HandoverScenario() {}

  /**
   * Fails unless the leader still writes its last entry, and the other leads without waiting for
   * the end of the lease.
   *
   * @param lease the lease in {@code conf}; if it is longer than any wait of a test, the handover
   *     cannot have waited for its end
   */
  public static void onSigterm(TestEnvironment stage, AgentConf conf, Duration lease)
      throws IOException, InterruptedException {
    Path journal = stage.folder("journal").resolve("journal.log");
    ServiceJvm a =
        stage.start(
            "a", JvmLauncher.demoService("a", journal).conf(conf).env("CLOSING_ENTRY", "true"));
    a.awaitRole("LEADER");
    ServiceJvm b = stage.start("b", JvmLauncher.demoService("b", journal).conf(conf));
    b.awaitRole("STANDBY");
    DualLeaderDetector watch = stage.opened(DualLeaderDetector.over(a, b));

    a.terminate();
    b.awaitRole("LEADER");
    assertThat(a.awaitExit()).isEqualTo(143);
    assertThat(b.write().accepted()).isTrue();
    watch.close();

    assertThat(a.output().stdout())
        .anyMatch(line -> line.matches("closing entry \\S+ written"))
        .contains("ledger closed");
    LeadershipLog transcript = LeadershipLog.of(a, b);
    assertThat(transcript.leaders()).containsExactly("a", "b");
    assertThat(transcript.violations(lease)).isEmpty();
    assertThat(watch.violations()).isEmpty();
    assertThat(JournalCheck.read(journal).runs()).containsExactly("a", "b");
  }
}
