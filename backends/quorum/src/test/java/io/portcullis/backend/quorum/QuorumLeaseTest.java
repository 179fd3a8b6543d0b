package io.portcullis.backend.quorum;

import static io.portcullis.election.contract.TestTimeouts.MAX_WAIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.config.InvalidElectionException;
import io.portcullis.servers.LoopbackPort;
import io.portcullis.testsupport.DocumentedExample;
import io.portcullis.testsupport.DocumentedExample.Run;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the quorum as a library, without the agent. */
class QuorumLeaseTest {
  @TempDir Path folder;

  private static QuorumLease.Builder builder() {
    return QuorumLease.builder()
        .cluster("orders/writer")
        .member("a", "10.0.0.7:7400")
        .member("b", "10.0.0.8:7400")
        .member("c", "10.0.0.9:7400")
        .self("b")
        .secret(QuorumPlanFixture.SECRET)
        .dataDir(Path.of("/var/lib/portcullis"));
  }

  @Test
  void builderDefaultsAreThoseOfTheAgent() {
    QuorumStorePlan plan = (QuorumStorePlan) builder().build();

    QuorumStorePlan configured = QuorumPlanFixture.plan(Map.of());
    assertThat(plan).usingRecursiveComparison().ignoringFields("trust").isEqualTo(configured);
    assertThat(plan.trust()).hasToString(configured.trust().toString());
    assertThat(plan.toString()).doesNotContain(QuorumPlanFixture.SECRET);
  }

  @Test
  void everyOptionIsUsed() {
    QuorumStorePlan plan =
        (QuorumStorePlan)
            builder()
                .cluster("shop/reader")
                .listen("0.0.0.0:7500")
                .otherSecret("another-secret-of-length")
                .lease(Duration.ofSeconds(20))
                .renew(Duration.ofSeconds(3))
                .electionTimeoutMin(Duration.ofMillis(200))
                .electionTimeoutMax(Duration.ofMillis(400))
                .build();

    Map<String, String> changes = new HashMap<>();
    changes.put("timing.lease", "20s");
    changes.put("timing.renew", "3s");
    changes.put("timing.election-timeout-min", "200ms");
    changes.put("timing.election-timeout-max", "400ms");
    assertThat(plan.tempo()).isEqualTo(QuorumPlanFixture.plan(changes).tempo());
    assertThat(plan.cluster()).isEqualTo("shop/reader");
    assertThat(plan.listen()).hasToString("0.0.0.0:7500");
    assertThat(plan.trust()).hasToString("two shared secrets");
  }

  @Test
  void allMissingAndInvalidOptionsAreReportedTogether() {
    assertThatThrownBy(
            () ->
                QuorumLease.builder().member("a-b", "nowhere").renew(Duration.ofSeconds(9)).build())
        .isInstanceOf(InvalidElectionException.class)
        .hasMessageContainingAll(
            "renew is 9s",
            "members names only 1",
            "members.a-b ",
            "self is missing",
            "dataDir is missing",
            "cluster is missing: the election, such as orders/writer");
    assertThatThrownBy(() -> builder().cluster("orders").build())
        .hasMessageContaining("cluster 'orders' must be service/election");
    assertThatThrownBy(() -> builder().secret("short").tls(folder, folder, folder).build())
        .hasMessageContainingAll("secret has fewer than", "tls.cert ", "tls.key ", "tls.ca ");
  }

  @Test
  void documentedExampleLeadsAmongThreeMembers() throws Exception {
    DocumentedExample example = DocumentedExample.of("docs/library.md", "Quorum");
    assertThat(example.length()).isLessThanOrEqualTo(10);
    Path secret = Files.writeString(folder.resolve("secret"), QuorumPlanFixture.SECRET);
    DocumentedExample adapted =
        example
            .with("/etc/orders/quorum.secret", secret.toString())
            .with("/var/lib/orders", folder.resolve("votes").toString())
            .with("10.0.0.7:7400", "127.0.0.1:" + LoopbackPort.free())
            .with("10.0.0.8:7400", "127.0.0.1:" + LoopbackPort.free())
            .with("10.0.0.9:7400", "127.0.0.1:" + LoopbackPort.free());

    try (Run a = start(adapted, "a");
        Run b = start(adapted, "b");
        Run c = start(adapted, "c")) {
      List<Run> members = List.of(a, b, c);
      await().atMost(MAX_WAIT).until(() -> members.stream().anyMatch(Run::hasWorked));
      Run leader = members.stream().filter(Run::hasWorked).findFirst().orElseThrow();
      List<Run> others = members.stream().filter(member -> member != leader).toList();
      long epoch = leader.awaitWork();

      leader.close();

      await().atMost(MAX_WAIT).until(() -> others.stream().anyMatch(Run::hasWorked));
      Run next = others.stream().filter(Run::hasWorked).findFirst().orElseThrow();
      assertThat(next.awaitWork()).isGreaterThan(epoch);
    }
  }

  private Run start(DocumentedExample example, String self) throws Exception {
    return example
        .with(".self(\"a\")", ".self(\"" + self + "\")")
        .start(
            Files.createDirectory(folder.resolve("classes-" + self)),
            "io.portcullis.backend.quorum",
            "io.portcullis.election",
            "io.portcullis.election.backend");
  }
}
