package io.portcullis.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.portcullis.election.LeaderElection;
import io.portcullis.election.contract.Claimant;
import io.portcullis.election.contract.ContenderPair;
import io.portcullis.election.contract.SplitBrainDetector;
import io.portcullis.election.store.EpochRange;
import io.portcullis.election.store.LeaseResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A Lease that existed before the election. */
@Execution(ExecutionMode.CONCURRENT)
class ExistingLeaseTest {
  @RegisterExtension final FaultyLeaseFixture site = new FaultyLeaseFixture();

  private static ObjectNode theirs() {
    String time = "2026-01-01T00:00:00.000000Z";
    ObjectNode spec = JsonNodeFactory.instance.objectNode();
    spec.put("holderIdentity", "other-node").put("leaseDurationSeconds", 3);
    return spec.put("acquireTime", time).put("renewTime", time);
  }

  @Test
  void leaseOfAnotherElectionIsNotChanged() throws Exception {
    ObjectNode lease = site.leases().create(FaultyLeaseFixture.NAME, theirs());
    lease.withObject("/metadata/annotations").put(LeaseDocument.ELECTION, "invoices/writer");
    ObjectNode marked = site.leases().replace(FaultyLeaseFixture.NAME, lease);

    try (SplitBrainDetector watch = new SplitBrainDetector()) {
      LeaderElection node = site.node(watch, "node");

      assertThat(node.awaitLeadership(site.timing().lease().multipliedBy(2))).isFalse();

      assertThat(node.status().toString()).contains("belongs to the election invoices/writer");
    }
    assertThat(site.lease()).contains(marked);
  }

  @Test
  void blankExistingLeaseIsAcquiredAtOnce() throws Exception {
    site.leases().create(FaultyLeaseFixture.NAME, JsonNodeFactory.instance.objectNode());

    try (SplitBrainDetector watch = new SplitBrainDetector()) {
      LeaderElection node = ContenderPair.node(watch, site, "node", TestTimings.SLOW);

      assertThat(node.awaitLeadership(FaultyLeaseFixture.MAX_WAIT))
          .isTrue(); // Long before a lease could end.
      assertThat(site.spec().path("holderIdentity").asText()).isEqualTo("node");
    }
  }

  @Test
  void epochThatLeavesNoHigherOneIsReportedAndNotUsed() {
    try (FaultyLeaseFixture slow = new FaultyLeaseFixture();
        Claimant a = slow.claimant("a");
        Claimant b = slow.claimant("b")) {
      a.release(a.lead());
      slow.edit(
          lease ->
              lease
                  .withObject("/metadata/annotations")
                  .put(LeaseDocument.EPOCH, Long.toString(EpochRange.MAX_EPOCH)));

      LeaseResponse answer = b.acquire(b.claim());

      assertThat(answer).isInstanceOf(LeaseResponse.Unknown.class);
      assertThat(((LeaseResponse.Unknown) answer).why()).contains("Run: ", LeaseDocument.EPOCH);
      assertThat(slow.spec().has("holderIdentity")).isFalse();
    }
  }
}
