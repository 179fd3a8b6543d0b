package io.portcullis.backend.kubernetes;

import static io.portcullis.backend.kubernetes.FaultyLeaseFixture.MAX_WAIT;
import static io.portcullis.backend.kubernetes.FaultyLeaseFixture.awaitShut;
import static io.portcullis.backend.kubernetes.FaultyLeaseFixture.since;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.portcullis.election.contract.ContenderPair;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Whole elections while a person deletes the Lease or changes its holder by hand. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class LeaseTamperingTest {

  @RegisterExtension final FaultyLeaseFixture site = new FaultyLeaseFixture();

  private static ObjectNode specOf(String holder) {
    String time = "2026-01-01T00:00:00.000000Z";
    ObjectNode spec = JsonNodeFactory.instance.objectNode();
    spec.put("holderIdentity", holder).put("leaseDurationSeconds", 3);
    return spec.put("acquireTime", time).put("renewTime", time).put("leaseTransitions", 0);
  }

  @Test
  void deletedLeaseShutsTheGateLongBeforeTheNextRenewal() throws Exception {
    try (FaultyLeaseFixture slow = new FaultyLeaseFixture(TestTimings.SLOW);
        ContenderPair pair = slow.pair()) {
      slow.wipe();

      awaitShut(pair.first());
    }
  }

  @Test
  void deletedLeaseIsWaitedOutAndTheNextEpochIsHigher() throws Exception {
    try (ContenderPair pair = site.pair()) {
      long epoch = pair.epoch();

      long deleted = System.nanoTime();
      site.wipe();
      awaitShut(pair.first());
      pair.awaitLeaderAbove(epoch);

      assertThat(since(deleted)).isGreaterThan(site.timing().lease());
    }
  }

  @Test
  void deletedLeaseOfALeaderThatIsCutOffIsWaitedOut() throws Exception {
    try (ContenderPair pair = site.pair()) {
      long epoch = pair.epoch();

      site.isolate("first");
      site.wipe();

      pair.awaitLeads(pair.second(), epoch);
    }
  }

  @Test
  void leaseRecreatedForAnotherHolderIsWaitedOut() throws Exception {
    try (ContenderPair pair = site.pair()) {
      long epoch = pair.epoch();

      site.wipe();
      long made = System.nanoTime();
      site.leases().create(FaultyLeaseFixture.NAME, specOf("intruder"));
      awaitShut(pair.first());
      pair.awaitLeaderAbove(epoch);

      assertThat(since(made)).isGreaterThan(Duration.ofSeconds(3));
    }
  }

  @Test
  void clearedHolderShutsItsGateBeforeTheNextRenewal() throws Exception {
    try (FaultyLeaseFixture slow = new FaultyLeaseFixture(TestTimings.SLOW);
        ContenderPair pair = slow.pair()) {
      slow.editSpec(spec -> spec.remove("holderIdentity"));

      awaitShut(pair.first());
    }
    try (ContenderPair pair = site.pair()) {
      long epoch = pair.epoch();

      site.editSpec(spec -> spec.remove("holderIdentity"));

      pair.awaitLeaderAbove(epoch);
    }
  }

  @Test
  void clearedHolderThatIsCutOffIsWaitedOut() throws Exception {
    try (ContenderPair pair = site.pair()) {
      long epoch = pair.epoch();

      site.isolate("first");
      site.editSpec(spec -> spec.put("holderIdentity", ""));

      pair.awaitLeads(pair.second(), epoch);
    }
  }

  @Test
  void holderClearedInTheFormOfAReleaseIsWaitedOut() throws Exception {
    try (ContenderPair pair = site.pair()) {
      long epoch = pair.epoch();

      site.isolate("first");
      site.editSpec(spec -> spec.put("holderIdentity", "").put("leaseDurationSeconds", 1));
      site.node(pair.watch(), "third");

      await().atMost(MAX_WAIT).until(() -> pair.watch().highestEpoch() > epoch);
      pair.watch().assertSafe();
    }
  }

  @Test
  void newNodesWaitOutACutOffHolderThatWasCleared() throws Exception {
    try (ContenderPair pair = site.pair()) {
      long epoch = pair.epoch();

      site.isolate("first");
      site.editSpec(spec -> spec.remove("holderIdentity"));
      site.node(pair.watch(), "third");

      await().atMost(MAX_WAIT).until(() -> pair.watch().highestEpoch() > epoch);
      pair.watch().assertSafe();
    }
  }

  @Test
  void replacedHolderShutsItsGateAndIsWaitedOut() throws Exception {
    try (FaultyLeaseFixture slow = new FaultyLeaseFixture(TestTimings.SLOW);
        ContenderPair pair = slow.pair()) {
      slow.editSpec(spec -> spec.put("holderIdentity", "intruder"));

      awaitShut(pair.first());
      await().atMost(MAX_WAIT).until(() -> pair.second().leader().equals(Optional.of("intruder")));
    }
    try (ContenderPair pair = site.pair()) {
      long epoch = pair.epoch();

      long replaced = System.nanoTime();
      site.editSpec(spec -> spec.put("holderIdentity", "intruder"));
      pair.awaitLeaderAbove(epoch);

      assertThat(since(replaced)).isGreaterThan(site.timing().lease());
    }
  }

  @Test
  void nodeSetAsHolderByHandWaitsForTheOldGate() throws Exception {
    try (ContenderPair pair = site.pair()) {
      long epoch = pair.epoch();

      site.isolate("first");
      site.editSpec(spec -> spec.put("holderIdentity", "second"));

      pair.awaitLeads(pair.second(), epoch);
    }
  }

  @Test
  void holderSetByHandWaitsForTheOldLeader() throws Exception {
    try (ContenderPair pair = site.pair()) {
      long epoch = pair.epoch();

      site.isolate("first");
      site.editSpec(
          spec -> {
            spec.put("holderIdentity", "second");
            spec.put("leaseTransitions", spec.path("leaseTransitions").asInt() + 1);
          });

      pair.awaitLeads(pair.second(), epoch);
    }
  }

  @Test
  void emptiedLeaseIsWaitedOutByNodesThatSawIt() throws Exception {
    try (ContenderPair pair = site.pair()) {
      long epoch = pair.epoch();

      site.isolate("first");
      site.edit(
          lease -> {
            lease.putObject("spec");
            lease.withObject("/metadata").remove("annotations");
          });

      pair.awaitLeads(pair.second(), epoch);
    }
  }
}
