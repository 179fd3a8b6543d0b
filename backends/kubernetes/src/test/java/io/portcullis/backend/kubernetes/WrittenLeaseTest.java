package io.portcullis.backend.kubernetes;

import static io.portcullis.backend.kubernetes.FaultyLeaseFixture.MAX_WAIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.portcullis.election.LeaderElection;
import io.portcullis.election.contract.SplitBrainDetector;
import io.portcullis.servers.kubernetes.RequestLogEntry;
import io.portcullis.servers.kubernetes.Verb;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What a node writes into its Lease, as other programs read it. */
@Execution(ExecutionMode.CONCURRENT)
class WrittenLeaseTest {
  @RegisterExtension final FaultyLeaseFixture site = new FaultyLeaseFixture();
  private final SplitBrainDetector watch = new SplitBrainDetector();

  @AfterEach
  void stop() {
    watch.close();
  }

  private LeaderElection leader() throws InterruptedException {
    LeaderElection node = site.node(watch, "node");
    assertThat(node.awaitLeadership(MAX_WAIT)).isTrue();
    return node;
  }

  private static Instant time(ObjectNode spec, String field) {
    return Instant.parse(spec.path(field).asText());
  }

  private void awaitRenewals(int count) {
    int before = site.asked("node", Verb.UPDATE);
    await().atMost(MAX_WAIT).until(() -> site.asked("node", Verb.UPDATE) >= before + count);
  }

  @Test
  void leaderWritesTheFieldsOfClientGo() throws Exception {
    leader();

    ObjectNode spec = site.spec();

    assertThat(spec.path("holderIdentity").asText()).isEqualTo("node");
    assertThat(spec.path("leaseDurationSeconds").asInt()).isEqualTo(3);
    assertThat(spec.path("leaseTransitions").asInt()).isEqualTo(1);
    assertThat(time(spec, "acquireTime")).isBetween(Instant.now().minusSeconds(60), Instant.now());
    assertThat(spec.size()).isEqualTo(5);
  }

  @Test
  void renewalsKeepTheTimeAndCountOfTheTenure() throws Exception {
    leader();
    ObjectNode first = site.spec();

    awaitRenewals(3);

    ObjectNode later = site.spec();
    assertThat(later.path("acquireTime")).isEqualTo(first.path("acquireTime"));
    assertThat(later.path("leaseTransitions")).isEqualTo(first.path("leaseTransitions"));
    assertThat(time(later, "renewTime")).isAfter(time(first, "renewTime"));
  }

  @Test
  void everyRenewalChangesTheTimeInWholeSeconds() throws Exception {
    leader();
    awaitRenewals(5);

    List<Long> seconds =
        site.server().requests(FaultyLeaseFixture.requests("node", Verb.UPDATE)).stream()
            .map(RequestLogEntry::body)
            .filter(body -> body.contains("renewTime"))
            .map(body -> body.replaceAll(".*\"renewTime\":\"([^\"]*)\".*", "$1"))
            .map(text -> Instant.parse(text).getEpochSecond())
            .toList();

    assertThat(seconds).hasSizeGreaterThan(5).doesNotHaveDuplicates().isSorted();
  }

  @Test
  void releaseHasTheFormOfClientGo() throws Exception {
    LeaderElection node = leader();

    node.close();

    ObjectNode spec = site.spec();
    assertThat(spec.has("holderIdentity")).isFalse();
    assertThat(spec.path("leaseDurationSeconds").asInt()).isEqualTo(1);
    assertThat(spec.path("leaseTransitions").asInt()).isEqualTo(1);
    assertThat(spec.path("acquireTime")).isEqualTo(spec.path("renewTime"));
  }

  @Test
  void everyWriteNamesTheVersionAndTheLeaseItReplaces() throws Exception {
    leader();
    awaitRenewals(2);

    assertThat(site.server().requests(FaultyLeaseFixture.requests("node", Verb.UPDATE)))
        .extracting(RequestLogEntry::body)
        .allMatch(body -> body.contains("\"resourceVersion\":\""))
        .allMatch(body -> body.contains("\"uid\":\""));
  }
}
