package io.portcullis.it.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.it.support.ClusterUnderLoad;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestAppCompiler;
import io.portcullis.it.support.TestEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class QuorumWitnessIT {
  private static final Duration LEASE = Duration.ofSeconds(3);
  private static final long MAX_KILOBYTES = 64 * 1024;
  private static final int ENDED_BY_SIGTERM = 143;

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  @Test
  void witnessLetsTwoServicesFailOver() throws IOException, InterruptedException {
    QuorumCluster quorum = QuorumCluster.of(stage, LEASE, "a", "b", "w");
    ClusterUnderLoad trial = quorum.underLoad();
    ServiceJvm witness = quorum.startWitness("w");
    quorum.join("a", "b");
    ServiceJvm first = trial.awaitLeaderAfter(0);
    QuorumCluster.awaitFollows(witness, first);
    witness.awaitLog(line -> line.contains(" votes level="));
    long epoch = first.status().epoch();
    ServiceJvm second = trial.other(first);

    trial.kill(first);
    assertThat(trial.awaitLeaderAfter(epoch).name()).isEqualTo(second.name());
    QuorumCluster.awaitFollows(witness, second);

    assertThat(witness.role()).isEqualTo("WITNESS");
    assertThat(witness.get("/healthz").status()).isEqualTo(200);
    assertThat(witness.get("/leader").status()).isEqualTo(503);
    assertThat(residentKilobytes(witness)).isLessThan(MAX_KILOBYTES);
    assertThat(trial.stopAndCheck().leaders()).containsExactly(first.name(), second.name());

    witness.terminate();
    assertThat(witness.awaitExit()).isEqualTo(ENDED_BY_SIGTERM);
    trial.awaitNoLeader();
    assertThat(second.write().refused()).isTrue();
  }

  @Test
  void witnessNotifiesItsExtensionsOfLeaders() throws IOException {
    QuorumCluster quorum = QuorumCluster.of(stage, LEASE, "a", "b", "w");
    Path jar = TestAppCompiler.extension(stage.folder("extension"));
    ServiceJvm witness =
        quorum.startWitness("w", conf -> conf.set("extensions", "[\"" + jar + "\"]"));
    List<ServiceJvm> nodes = List.of(quorum.start("a"), quorum.start("b"));

    ServiceJvm leader = QuorumCluster.awaitLeader(nodes);

    witness.awaitLog(
        "event ledger/writer: new leader " + leader.name() + "-" + leader.handle().pid());
  }

  /** Resident memory; zero if the system does not provide it. */
  private static long residentKilobytes(ServiceJvm process) throws IOException {
    Path status = Path.of("/proc", Long.toString(process.handle().pid()), "status");
    if (!Files.exists(status)) {
      return 0;
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElseThrow();
  }
}
