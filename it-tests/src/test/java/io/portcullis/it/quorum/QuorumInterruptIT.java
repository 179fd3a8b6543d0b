package io.portcullis.it.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import com.acme.app.InterruptingService;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(value = 240, threadMode = ThreadMode.SEPARATE_THREAD)
class QuorumInterruptIT {
  private static final Duration LEASE = Duration.ofSeconds(4);
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  /** The others are witnesses, so no other member could lead. */
  @Test
  void interruptsDoNotEndLeadershipOfAMember() throws IOException, InterruptedException {
    QuorumCluster quorum = QuorumCluster.of(stage, LEASE, "a", "b", "c");
    ServiceJvm first = quorum.startWitness("b");
    ServiceJvm second = quorum.startWitness("c");
    String work = "{ id = work, match = \"com.acme.app.InterruptingService#work()\" }";
    ServiceJvm member =
        stage.start(
            "a1",
            JvmLauncher.application(InterruptingService.class.getName())
                .conf(quorum.conf("a").rule(work)));

    member.awaitLog("interrupted: [portcullis, ");
    Awaitility.await("member leads after the interrupts").atMost(TIMEOUT).until(member::leads);
    first.kill();
    second.kill();
    Awaitility.await("member no longer leads").atMost(TIMEOUT).until(() -> !member.leads());
    int lines = member.output().stderr().size();
    quorum.startWitness("b");

    Awaitility.await("member leads again and logs it")
        .atMost(TIMEOUT)
        .until(
            () -> {
              List<String> log = member.output().stderr();
              return member.leads()
                  && log.subList(lines, log.size()).stream()
                      .anyMatch(line -> line.contains("election=writer"));
            });
    assertThat(member.output().stderr())
        .anyMatch(line -> line.contains("ignored an interrupt of its thread portcullis"));
  }
}
