package io.portcullis.backend.kubernetes;

import static io.portcullis.backend.kubernetes.FaultyLeaseFixture.MAX_WAIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.LeaderElection;
import io.portcullis.election.contract.ContenderPair;
import io.portcullis.election.contract.SplitBrainDetector;
import io.portcullis.servers.kubernetes.Fault;
import io.portcullis.servers.kubernetes.Verb;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whole elections whose requests succeed without a response, or much later. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class LostRepliesTest {

  @RegisterExtension final FaultyLeaseFixture site = new FaultyLeaseFixture();

  static Stream<Named<Fault>> losses() {
    return Stream.of(
        Named.of("cut", Fault.cutReply()), Named.of("swallowed", Fault.swallowReply()));
  }

  private String holder() {
    return site.spec().path("holderIdentity").asText();
  }

  @ParameterizedTest
  @MethodSource("losses")
  void nodeThatMissedItsGrantLeadsFromTheRecord(Fault loss) throws Exception {
    site.setOnce(loss, "node", Verb.CREATE);
    site.setOnce(loss, "node", Verb.UPDATE);
    try (SplitBrainDetector watch = new SplitBrainDetector()) {
      LeaderElection node = site.node(watch, "node");

      assertThat(node.awaitLeadership(MAX_WAIT)).isTrue();

      assertThat(holder()).isEqualTo("node");
    }
  }

  @ParameterizedTest
  @MethodSource("losses")
  void lostReplyToARenewalCostsNoTenure(Fault loss) throws Exception {
    try (ContenderPair pair = site.steadyPair()) {
      long epoch = pair.epoch();

      for (int i = 0; i < 3; i++) {
        int before = site.asked("first", Verb.UPDATE);
        site.setOnce(loss, "first", Verb.UPDATE);
        await().atMost(MAX_WAIT).until(() -> site.asked("first", Verb.UPDATE) > before + 1);
      }

      pair.watchFor(site.timing().renewDeadline());
      assertThat(pair.first().isLeader()).isTrue();
      assertThat(pair.first().epoch()).isEqualTo(epoch);
    }
  }

  @ParameterizedTest
  @MethodSource("losses")
  void renewalsWithLostRepliesShutTheGate(Fault loss) throws Exception {
    try (ContenderPair pair = site.pair()) {
      site.set(loss, "first", Verb.UPDATE);

      site.awaitShutByDeadline(pair.first());
      pair.watchFor(site.timing().lease());
      site.faults().heal();

      pair.awaitLeaderAbove(0);
    }
  }

  @ParameterizedTest
  @MethodSource("losses")
  void releaseWithALostReplyIsFinal(Fault loss) throws Exception {
    try (ContenderPair pair = site.outlastingPair()) {
      long epoch = pair.epoch();
      site.set(loss, "first", Verb.UPDATE);

      pair.first().stepDown();
      pair.awaitLeads(pair.second(), epoch);

      site.faults().heal();
      pair.watchFor(site.timing().lease());
      assertThat(pair.second().isLeader()).isTrue();
    }
  }

  @Test
  void leaseOfALostReleaseExpires() throws Exception {
    try (ContenderPair pair = site.pair()) {
      long epoch = pair.epoch();
      site.set(Fault.hang(), "first", Verb.UPDATE);

      pair.first().stepDown();

      pair.awaitLeads(pair.second(), epoch);
    }
  }

  @Test
  void renewalExecutedMuchLaterChangesNothing() throws Exception {
    try (ContenderPair pair = site.pairWithSteadySecond()) {
      long epoch = pair.epoch();
      site.set(Fault.holdBack(), "first", Verb.UPDATE);
      pair.awaitLeads(pair.second(), epoch);
      long next = pair.second().epoch();

      site.faults().heal();
      pair.watchFor(site.timing().lease());

      assertThat(pair.second().isLeader()).isTrue();
      assertThat(pair.second().epoch()).isEqualTo(next);
      assertThat(holder()).isEqualTo("second");
    }
  }

  @Test
  void releaseExecutedMuchLaterChangesNothing() throws Exception {
    try (ContenderPair pair = site.pairWithSteadySecond()) {
      long epoch = pair.epoch();
      site.set(Fault.holdBack(), "first", Verb.UPDATE);
      pair.first().stepDown();
      pair.awaitLeads(pair.second(), epoch);
      long next = pair.second().epoch();

      site.faults().heal();
      pair.watchFor(site.timing().lease());

      assertThat(pair.second().isLeader()).isTrue();
      assertThat(pair.second().epoch()).isEqualTo(next);
    }
  }

  @Test
  void claimExecutedMuchLaterChangesNothing() throws Exception {
    try (ContenderPair pair = site.steadyPair()) {
      long epoch = pair.epoch();
      site.set(Fault.holdBack(), "second", Verb.UPDATE);
      int before = site.asked("second", Verb.UPDATE);
      pair.first().stepDown();
      await().atMost(MAX_WAIT).until(() -> site.asked("second", Verb.UPDATE) > before);
      LeaderElection third = ContenderPair.node(pair.watch(), site, "third", site.steadyTiming());
      await().atMost(MAX_WAIT).until(() -> third.isLeader() || pair.first().isLeader());

      site.faults().heal();
      pair.watchFor(site.timing().lease());

      assertThat(pair.second().isLeader()).isFalse();
      assertThat(pair.watch().highestEpoch()).isEqualTo(epoch + 1);
    }
  }

  @Test
  void allDelayedRequestsAreHarmlessWhenTheyArrive() throws Exception {
    try (ContenderPair pair = site.pair()) {
      for (int i = 0; i < 2; i++) {
        site.faults().set(Fault.holdBack(), Verb.UPDATE, Verb.GET, Verb.CREATE);
        pair.awaitNobody();
        pair.watchFor(site.timing().lease());
        site.faults().heal();
        pair.awaitLeaderAbove(0);
      }
      await().atMost(MAX_WAIT).until(() -> pair.first().leader().equals(pair.second().leader()));
      assertThat(pair.first().leader()).isNotEqualTo(Optional.empty());
    }
  }
}
