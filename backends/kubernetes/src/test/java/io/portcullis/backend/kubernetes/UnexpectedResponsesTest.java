package io.portcullis.backend.kubernetes;

import static io.portcullis.backend.kubernetes.FaultyLeaseFixture.MAX_WAIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.backend.kubernetes.KubernetesBackend.LeaseName;
import io.portcullis.election.contract.Claimant;
import io.portcullis.election.contract.ContenderPair;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.Granted;
import io.portcullis.election.store.LeaseResponse.HeldByOther;
import io.portcullis.election.store.LeaseResponse.Unknown;
import io.portcullis.servers.kubernetes.ApiServer;
import io.portcullis.servers.kubernetes.Fault;
import io.portcullis.servers.kubernetes.Verb;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A proxy between node and API server responds as no API server would. */
@Execution(ExecutionMode.CONCURRENT)
class UnexpectedResponsesTest {

  @RegisterExtension final FaultyLeaseFixture site = new FaultyLeaseFixture();

  @BeforeEach
  void warm() {
    FaultyLeaseFixture.warm(site);
  }

  private Fault redirect(int code) {
    LeaseName name = new LeaseName(ApiServer.NAMESPACE, FaultyLeaseFixture.NAME);
    return Fault.redirect(code, site.server().url() + name.path());
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 303, 307, 308})
  void redirectIsNoResponse(int code) {
    try (Claimant a = site.claimant("a")) {
      Granted won = a.lead();
      site.setOnce(redirect(code), "a", Verb.UPDATE);

      LeaseResponse answer = a.renew(won.epoch());

      assertThat(answer).isInstanceOf(Unknown.class);
      assertThat(((Unknown) answer).why()).contains("responds with " + code);
      assertThat(a.renew(won.epoch())).isEqualTo(won);
    }
  }

  @Test
  void leaderWhoseRenewalsBecomeReadsIsReplacedSafely() throws Exception {
    try (ContenderPair pair = site.pair()) {
      long epoch = pair.epoch();
      site.faults().silenceWatches();
      site.set(redirect(303), "first", Verb.UPDATE);

      pair.awaitLeads(pair.second(), epoch);
    }
  }

  @Test
  void leaderAnsweredByACacheIsReplacedSafely() throws Exception {
    try (ContenderPair pair = site.pair()) {
      long epoch = pair.epoch();
      site.faults().silenceWatches();
      site.set(Fault.onlyRead(), "first", Verb.UPDATE);

      pair.awaitLeads(pair.second(), epoch);
    }
  }

  @Test
  void claimAnsweredByACacheOpensNoGate() throws Exception {
    try (ContenderPair pair = site.pair()) {
      long epoch = pair.epoch();
      site.set(Fault.onlyRead(), "second", Verb.UPDATE);

      pair.first().stepDown();

      pair.awaitLeads(pair.first(), epoch);
    }
  }

  @Test
  void tokenIsNotSentToAnotherHost() {
    try (ApiServer elsewhere = ApiServer.start();
        Claimant a = site.claimant("a")) {
      a.look();
      site.set(Fault.redirect(307, elsewhere.url() + "/version"), "a");

      assertThat(a.ask(new LeaseRequest.Look())).isInstanceOf(Unknown.class);

      assertThat(elsewhere.requests()).isEmpty();
    }
  }

  static Stream<Named<Fault>> endless() {
    return Stream.of(
        Named.of("dripping", Fault.dripReply()), Named.of("flooding", Fault.floodReply()));
  }

  @ParameterizedTest
  @MethodSource("endless")
  void endlessResponseIsAbandonedAndItsConnectionClosed(Fault fault) {
    try (Claimant a = site.claimant("a", site.timing().askTimeout())) {
      FaultyLeaseFixture.awaitAnswer(a);
      int before = site.server().connections();
      site.set(fault, "a", Verb.GET);

      for (int i = 0; i < 6; i++) {
        LeaseResponse answer = a.ask(new LeaseRequest.Look());
        assertThat(answer).isInstanceOf(Unknown.class);
        assertThat(((Unknown) answer).why()).containsAnyOf("no response within", "longer than");
      }

      await().atMost(MAX_WAIT).until(() -> site.server().connections() <= before + 1);
      site.faults().heal();
      await().atMost(MAX_WAIT).until(() -> a.ask(new LeaseRequest.Look()) instanceof HeldByOther);
    }
  }

  @Test
  void oversizedResponseIsReported() {
    try (Claimant a = site.claimant("a")) {
      a.look();
      site.set(Fault.floodReply(), "a", Verb.GET);

      assertThat(((Unknown) a.ask(new LeaseRequest.Look())).why()).contains("longer than");
    }
  }
}
