package io.portcullis.it.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.portcullis.it.support.ClusterUnderLoad;
import io.portcullis.it.support.Elapsed;
import io.portcullis.it.support.JournalCheck;
import io.portcullis.it.support.LeadershipLog;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.Signals;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.it.support.WriteResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class QuorumCrashIT {
  private static final Duration LEASE = Duration.ofSeconds(3);

  /** Longer than the start of three services, even on a busy machine. */
  private static final Duration LONG_LEASE = Duration.ofSeconds(10);

  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  /** Fewer than the service's threads, so no request is refused for lack of a thread. */
  private static final int WAITING = 14;

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  @Test
  void afterKillingAllMembersOneLeadsWhenTheLeaseEnds() throws IOException, InterruptedException {
    QuorumCluster quorum = QuorumCluster.of(stage, LONG_LEASE, "a", "b", "c");
    ClusterUnderLoad trial = quorum.underLoad();
    List<ServiceJvm> before = quorum.join("a", "b", "c");
    long epoch = trial.awaitLeaderAfter(0).status().epoch();

    for (ServiceJvm node : before) {
      trial.kill(node);
    }
    Instant killed = Instant.now();
    List<ServiceJvm> after = quorum.join("a", "b", "c");
    ServiceJvm leader = trial.awaitLeaderAfter(epoch);

    List<LeadershipLog.Event> grants = trial.stopAndCheck().grants();
    assertThat(grants).hasSize(2);
    assertThat(grants.get(1).at()).isAfter(killed.plus(LONG_LEASE));
    assertThat(grants.get(1).epoch()).isGreaterThan(epoch);
    assertThat(after).contains(leader);
  }

  @Test
  void memberWithLostVotesRecoversWithoutDisruption() throws IOException, InterruptedException {
    QuorumCluster quorum = QuorumCluster.of(stage, LEASE, "a", "b", "c");
    ClusterUnderLoad trial = quorum.underLoad();
    quorum.join("a", "b", "c");
    ServiceJvm leader = trial.awaitLeaderAfter(0);
    long epoch = leader.status().epoch();

    ServiceJvm forgetful = trial.other(leader);
    String member = QuorumCluster.member(forgetful);
    trial.kill(forgetful);
    wipe(quorum.dataDir(member));
    ServiceJvm again = quorum.join(member).get(0);
    again.awaitLog(line -> line.contains("does not vote why=\"this member has no saved vote"));
    again.awaitLog(line -> line.contains(" votes level="));
    assertThat(leader.status().epoch()).isEqualTo(epoch);

    // Without the member that lost its votes there is no majority any more.
    ServiceJvm third =
        trial.nodes().stream()
            .filter(node -> node.isAlive() && node != leader && node != again)
            .findFirst()
            .orElseThrow();
    long since = System.nanoTime();
    trial.kill(third);
    Elapsed.await(LEASE.multipliedBy(2), since);
    trial.awaitWrites();

    assertThat(leader.status().epoch()).isEqualTo(epoch);
    assertThat(trial.stopAndCheck().leaders()).containsExactly(leader.name());
  }

  @Test
  void frozenLeaderRefusesWritesAfterWaking() throws IOException, InterruptedException {
    assumeTrue(Signals.available(), "needs a system where a shell can send SIGSTOP with kill");
    QuorumCluster quorum = QuorumCluster.of(stage, LEASE, "a", "b", "c");
    List<ServiceJvm> nodes = List.of(quorum.start("a"), quorum.start("b"), quorum.start("c"));
    ServiceJvm old = QuorumCluster.awaitLeader(nodes);
    assertThat(old.write().accepted()).isTrue();
    List<ServiceJvm> others = nodes.stream().filter(node -> node != old).toList();
    others.forEach(node -> QuorumCluster.awaitFollows(node, old));

    Signals.stop(old.handle());
    List<CompletableFuture<WriteResult>> waiting = new ArrayList<>();
    for (int i = 0; i < WAITING; i++) {
      waiting.add(old.writeAsync(TIMEOUT));
    }
    ServiceJvm next = QuorumCluster.awaitLeader(others);
    assertThat(next.write().accepted()).isTrue();
    Signals.resume(old.handle());

    assertThat(waiting.stream().map(CompletableFuture::join))
        .hasSize(WAITING)
        .allSatisfy(write -> assertThat(write.refused()).as("%s", write).isTrue());
    assertThat(old.write().refused()).isTrue();
    old.awaitLog("lost leadership");
    QuorumCluster.awaitFollows(old, next);
    assertThat(next.write().accepted()).isTrue();
    assertThat(JournalCheck.read(quorum.underLoad().journal()).runs())
        .containsExactly(old.name(), next.name());
    LeadershipLog transcript = LeadershipLog.of(nodes);
    assertThat(transcript.leaders()).containsExactly(old.name(), next.name());
    assertThat(transcript.violations(LEASE)).isEmpty();
  }

  private static void wipe(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
