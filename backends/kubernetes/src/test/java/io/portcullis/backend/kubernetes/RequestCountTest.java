package io.portcullis.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.LeaderElection;
import io.portcullis.election.config.Timing;
import io.portcullis.election.contract.Claimant;
import io.portcullis.election.contract.SplitBrainDetector;
import io.portcullis.election.contract.TestTimeouts;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.Granted;
import io.portcullis.servers.kubernetes.ApiServer;
import io.portcullis.servers.kubernetes.Fault;
import io.portcullis.servers.kubernetes.RequestFilter;
import io.portcullis.servers.kubernetes.Verb;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The number of requests of an election, counted by the server. */
@Isolated
class RequestCountTest {
  private static final String LEADER = "leaders-token";
  private static final String STANDBY = "standbys-token";

  /**
   * A standby that polls rarely, so that a delayed watch event on a busy machine still comes first.
   */
  private static final Timing SLOWER =
      ApiServerLeaseFixture.timing(TestTimeouts.STEADY_LEASE, Duration.ofSeconds(2));

  private static final Fault SWALLOWED = Fault.swallowReply();

  @TempDir private Path folder;
  private final ApiServer server = ApiServer.start();
  private ApiServerLeaseFixture leading;
  private ApiServerLeaseFixture standing;

  @BeforeEach
  void open() {
    leading = ApiServerLeaseFixture.at(server, access(LEADER));
    standing = new ApiServerLeaseFixture(server, access(STANDBY), leading.name(), null, SLOWER);
  }

  @AfterEach
  void close() {
    server.close();
  }

  private KubernetesAccess access(String token) {
    return Kubeconfig.read(server.kubeconfig(folder.resolve(token), token), null);
  }

  private int count(String client, Verb first, Verb... others) {
    return server.requests(RequestFilter.to(first, others).by(client)).size();
  }

  private int countAll(String client) {
    return server.requests(RequestFilter.all().by(client)).size();
  }

  private void awaitMore(int puts) {
    int until = count(LEADER, Verb.UPDATE) + puts;
    await().atMost(ApiServerLeaseFixture.MAX_WAIT).until(() -> count(LEADER, Verb.UPDATE) >= until);
  }

  @Test
  void leaderSendsOnePutPerRetryAndStandbyNothing() throws Exception {
    try (SplitBrainDetector watch = new SplitBrainDetector()) {
      LeaderElection first = leading.node(watch, "first");
      assertThat(first.awaitLeadership(ApiServerLeaseFixture.MAX_WAIT)).isTrue();
      LeaderElection second = standing.node(watch, "second");
      await()
          .atMost(ApiServerLeaseFixture.MAX_WAIT)
          .until(() -> second.leader().equals(Optional.of("first")));
      await().atMost(ApiServerLeaseFixture.MAX_WAIT).until(() -> count(STANDBY, Verb.WATCH) == 1);
      await().atMost(ApiServerLeaseFixture.MAX_WAIT).until(() -> count(LEADER, Verb.WATCH) == 1);
      awaitMore(5);

      long began = System.nanoTime();
      int puts = count(LEADER, Verb.UPDATE);
      int ofLeader = countAll(LEADER);
      int ofStandby = countAll(STANDBY);
      awaitMore(20);
      int sent = count(LEADER, Verb.UPDATE) - puts;
      int sentInAll = countAll(LEADER) - ofLeader;
      int looked = countAll(STANDBY) - ofStandby;
      Duration took = Duration.ofNanos(System.nanoTime() - began);

      assertThat(sentInAll - sent).as("requests other than renewals").isBetween(0, 1);
      assertThat(sent)
          .isLessThanOrEqualTo((int) (took.toMillis() / leading.timing().renew().toMillis()) + 2);
      assertThat(looked)
          .as("requests of a standby that would poll this often without a watch")
          .isLessThanOrEqualTo((int) (took.toMillis() / SLOWER.heldBackoff().cap().toMillis()));
      assertThat(List.of(first.isLeader(), second.isLeader())).containsExactly(true, false);
    }
  }

  static Stream<Fault> refusals() {
    return Stream.of(
        Fault.status(500),
        Fault.status(503),
        Fault.status(504),
        Fault.status(401),
        Fault.status(408),
        Fault.tooManyRequests(Duration.ofSeconds(1)),
        SWALLOWED);
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void failedRequestIsNeverRepeatedByTheClient(Fault fault) {
    Duration ask = Duration.ofSeconds(fault.equals(SWALLOWED) ? 3 : 30);
    try (Claimant a = leading.claimant("a", ask)) {
      Granted won = a.lead();
      a.look();
      await().atMost(ApiServerLeaseFixture.MAX_WAIT).until(() -> count(LEADER, Verb.WATCH) == 1);
      int reads = count(LEADER, Verb.GET);
      int writes = count(LEADER, Verb.UPDATE);

      server.faults().setOnce(fault, RequestFilter.to(Verb.GET));
      server.faults().setOnce(fault, RequestFilter.to(Verb.UPDATE));

      assertThat(a.ask(new LeaseRequest.Look())).isInstanceOf(LeaseResponse.Unknown.class);
      assertThat(count(LEADER, Verb.GET)).isEqualTo(reads + 1);
      assertThat(a.renew(won.epoch())).isInstanceOf(LeaseResponse.Unknown.class);
      assertThat(count(LEADER, Verb.UPDATE)).isEqualTo(writes + 1);

      assertThat(a.renew(won.epoch())).isEqualTo(won);
      assertThat(count(LEADER, Verb.UPDATE)).isEqualTo(writes + 2);
    }
  }

  @Test
  void writeWhoseConnectionIsCutIsNotRepeated() {
    try (Claimant a = leading.claimant("a")) {
      Granted won = a.lead();
      int writes = count(LEADER, Verb.UPDATE);
      server.faults().setOnce(Fault.cutReply(), RequestFilter.to(Verb.UPDATE));

      assertThat(a.renew(won.epoch())).isInstanceOf(LeaseResponse.Unknown.class);

      assertThat(count(LEADER, Verb.UPDATE)).isEqualTo(writes + 1);
    }
  }

  @Test
  void connectionOfAHangingRequestIsClosed() {
    try (Claimant a = leading.claimant("a", Duration.ofSeconds(3))) {
      Granted won = a.lead();
      await().atMost(ApiServerLeaseFixture.MAX_WAIT).until(() -> count(LEADER, Verb.WATCH) == 1);
      a.renew(won.epoch());
      int before = server.connections();
      for (int i = 0; i < 3; i++) {
        server.faults().setOnce(Fault.swallowReply(), RequestFilter.to(Verb.UPDATE));

        assertThat(a.renew(won.epoch())).isInstanceOf(LeaseResponse.Unknown.class);
        assertThat(a.renew(won.epoch())).isEqualTo(won); // The old one serves no requests any more.
      }
      server.faults().heal(); // Now the server reads the old connections and finds them closed.

      await()
          .atMost(ApiServerLeaseFixture.MAX_WAIT)
          .until(() -> server.connections() <= before + 1);
    }
  }

  @Test
  void onlyHttpOneIsRequested() throws Exception {
    try (ServerSocket plain = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Claimant a = to(plain).claimant("a")) {
      CompletionStage<LeaseResponse> asked = a.send(new LeaseRequest.Look());
      String head;
      try (Socket connection = plain.accept()) {
        byte[] begin = new byte[4096];
        int length = connection.getInputStream().read(begin);
        head = new String(begin, 0, length, StandardCharsets.US_ASCII);
      }

      assertThat(head)
          .contains(" HTTP/1.1\r\n", "User-Agent: portcullis")
          .doesNotContain("h2c", "HTTP2");
      assertThat(Claimant.answerTo(asked)).isInstanceOf(LeaseResponse.Unknown.class);
    }
  }

  private ApiServerLeaseFixture to(ServerSocket plain) {
    Path account = server.serviceAccount(folder.resolve("account"));
    return ApiServerLeaseFixture.at(
        server,
        new KubernetesAccess.InCluster("http://127.0.0.1:" + plain.getLocalPort(), account));
  }
}
