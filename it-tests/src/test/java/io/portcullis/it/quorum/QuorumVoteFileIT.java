package io.portcullis.it.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.portcullis.it.support.ClusterUnderLoad;
import io.portcullis.it.support.CommandResult;
import io.portcullis.it.support.Elapsed;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class QuorumVoteFileIT {
  private static final Duration LEASE = Duration.ofSeconds(2);

  /** Mounts an empty read-only folder that only the following command sees. */
  private static final String READ_ONLY = "mount -t tmpfs -o ro none \"$0\" && exec \"$@\"";

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  private QuorumCluster quorum;
  private ClusterUnderLoad trial;
  private ServiceJvm leader;

  /** All members have participated; then one is killed, and the two others continue. */
  @BeforeEach
  void startWithoutC() throws IOException, InterruptedException {
    quorum = QuorumCluster.of(stage, LEASE, "a", "b", "c");
    trial = quorum.underLoad();
    ServiceJvm c = quorum.join("a", "b", "c").get(2);
    trial.awaitLeaderAfter(0);
    trial.kill(c);
    leader = trial.awaitLeader();
    trial.awaitWrites();
  }

  @Test
  void memberWithCorruptVoteFileNeverLeads() throws IOException, InterruptedException {
    Path ballot = QuorumCluster.ballot(quorum.dataDir("c"), "c");
    Files.writeString(ballot, Files.readString(ballot).replaceFirst("term \\d", "term 9"));

    assertNeverLeads(quorum.start("c"), ballot.toString());
  }

  @Test
  void memberWhoseDataDirIsAFileNeverLeads() throws IOException, InterruptedException {
    Path folder = quorum.dataDir("c");
    Files.move(folder, folder.resolveSibling("moved"));
    Files.writeString(folder, "no folder");

    assertNeverLeads(quorum.start("c"), "a file that is not a folder is in its way");
  }

  @Test
  void memberWithReadOnlyDataDirNeverLeads() throws IOException, InterruptedException {
    String folder = stage.folder("mount").toString();
    assumeTrue(canRun(readOnly(folder)), "needs unshare and the right to mount, which is root's");
    String name = quorum.nextName("c");
    JvmLauncher launch = quorum.service(name).prefixedBy(readOnly(quorum.dataDir("c").toString()));

    assertNeverLeads(stage.start(name, launch), "ead-only file system");
  }

  /** Two members are a majority, but without the third each needs the other. */
  private void assertNeverLeads(ServiceJvm unfit, String why)
      throws IOException, InterruptedException {
    trial.writeToAndWatch(unfit);
    long epoch = leader.status().epoch();
    assertThat(unfit.awaitLog("does not vote why=").text()).contains(why);
    QuorumCluster.awaitFollows(unfit, leader);
    assertThat(unfit.status().election().path("why").asText())
        .contains("this member does not vote: ")
        .contains(why);
    trial.awaitWrites();
    assertThat(leader.status().epoch()).isEqualTo(epoch);

    long since = System.nanoTime();
    trial.kill(leader);
    Elapsed.await(LEASE.multipliedBy(3), since);
    assertThat(trial.nodes()).filteredOn(ServiceJvm::isAlive).noneMatch(ServiceJvm::leads);
    assertThat(unfit.write().refused()).isTrue();
    assertThat(unfit.status().election().path("why").asText()).contains(why);

    quorum.join(QuorumCluster.member(leader));
    ServiceJvm next = trial.awaitLeaderAfter(epoch);
    QuorumCluster.awaitFollows(unfit, next);
    assertThat(trial.stopAndCheck().leaders()).doesNotContain(unfit.name());
  }

  private static List<String> readOnly(String folder) {
    return List.of("unshare", "-m", "sh", "-c", READ_ONLY, folder);
  }

  private boolean canRun(List<String> prefix) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(prefix);
    command.add("true");
    try {
      return CommandResult.run(stage.folder("probe"), Map.of(), command).exitCode() == 0;
    } catch (IOException e) {
      return false; // The command does not exist.
    }
  }
}
