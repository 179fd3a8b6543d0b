package io.portcullis.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.contract.Claimant;
import io.portcullis.election.contract.RequiredFeature;
import io.portcullis.election.contract.TestTimeouts;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.StoreFeatures.LeadershipObserver;
import io.portcullis.servers.kubernetes.ApiServer;
import io.portcullis.servers.kubernetes.Fault;
import io.portcullis.servers.kubernetes.RequestFilter;
import io.portcullis.servers.kubernetes.Verb;
import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.PasswordAuthentication;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Checks that the backend touches nothing that belongs to the application and leaves nothing
 * behind.
 */
@Isolated
class ApplicationIsolationTest {
  /** Threads that the agent can't name: the JDK's, one for each client, and fabric8's timer. */
  private static final Predicate<String> OF_THE_CLIENT =
      name ->
          name.matches("HttpClient-\\d+-SelectorManager")
              || name.startsWith("scheduler-")
              || name.equals("CompletableFutureDelayScheduler");

  /** Threads of the server and of the test. */
  private static final Predicate<String> OF_THE_TEST =
      name -> name.matches("(api-server-.*|awaitility.*|Common-Cleaner)");

  /** Its requests time out after any wait of a test. */
  private static final Timing OUTLASTING =
      ApiServerLeaseFixture.timing(TestTimeouts.OUTLASTING_LEASE, Duration.ofMillis(500));

  @TempDir private Path folder;
  private final ApiServer server = ApiServer.start();
  private final Set<Thread> before = new HashSet<>(threads());
  private final Queue<String> consulted = new ConcurrentLinkedQueue<>();
  private final @Nullable ProxySelector proxies = ProxySelector.getDefault();
  private final @Nullable CookieHandler cookies = CookieHandler.getDefault();
  private ApiServerLeaseFixture outpost;

  @BeforeEach
  void open() {
    outpost = ApiServerLeaseFixture.at(server, Kubeconfig.read(server.kubeconfig(folder), null));
  }

  @AfterEach
  void close() {
    ProxySelector.setDefault(proxies);
    CookieHandler.setDefault(cookies);
    Authenticator.setDefault(null);
    server.close();
  }

  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet();
  }

  /** Threads that this test has started. */
  private List<Thread> started(Predicate<String> names) {
    return threads().stream()
        .filter(thread -> !before.contains(thread) && thread.isAlive())
        .filter(thread -> names.test(thread.getName()))
        .toList();
  }

  private static boolean isOurs(String name) {
    return name.startsWith("portcullis-writer-kubernetes");
  }

  @Test
  void allThreadsAreDaemonsAndNamed() {
    try (Claimant a = outpost.claimant("a")) {
      a.lead();
      await()
          .atMost(ApiServerLeaseFixture.MAX_WAIT)
          .until(() -> !server.requests(RequestFilter.to(Verb.WATCH)).isEmpty());

      assertThat(started(ApplicationIsolationTest::isOurs)).isNotEmpty();
      assertThat(started(name -> true)).allMatch(Thread::isDaemon);
      assertThat(started(OF_THE_TEST.negate().and(OF_THE_CLIENT.negate())))
          .extracting(Thread::getName)
          .allMatch(ApplicationIsolationTest::isOurs);
    }
  }

  @Test
  void commonPoolIsNotUsed() {
    try (Claimant a = outpost.claimant("a")) {
      a.release(a.lead());
      server.faults().closeWatches();
      await()
          .atMost(ApiServerLeaseFixture.MAX_WAIT)
          .until(() -> server.requests(RequestFilter.to(Verb.WATCH)).size() > 1);
    }

    assertThat(started(name -> name.startsWith("ForkJoinPool"))).isEmpty();
  }

  @Test
  void closedStoreLeavesNoThreadAndNoConnection() {
    List<Claimant> stillHeld = List.of(outpost.claimant("a"), outpost.claimant("b"));
    stillHeld.forEach(Claimant::look);
    await()
        .atMost(ApiServerLeaseFixture.MAX_WAIT)
        .until(() -> server.requests(RequestFilter.to(Verb.WATCH)).size() == 2);

    stillHeld.forEach(Claimant::close);

    await()
        .atMost(ApiServerLeaseFixture.MAX_WAIT)
        .until(() -> started(ApplicationIsolationTest::isOurs).isEmpty());
    await()
        .atMost(ApiServerLeaseFixture.MAX_WAIT)
        .until(
            () -> {
              System.gc(); // The JDK's client ends when it is garbage collected.
              return server.connections() == 0
                  && started(name -> name.contains("SelectorManager")).isEmpty();
            });
    assertThat(stillHeld)
        .allMatch(a -> a.ask(new LeaseRequest.Look()) instanceof LeaseResponse.Unknown);
  }

  @Test
  void closingAStoreDoesNotWaitForAHangingRequest() {
    server.faults().set(Fault.hang(), RequestFilter.all());
    Claimant a = outpost.with(OUTLASTING).outlastingClaimant("a");
    a.send(new LeaseRequest.Look());
    await().atMost(ApiServerLeaseFixture.MAX_WAIT).until(() -> !server.requests().isEmpty());

    assertTimeoutPreemptively(ApiServerLeaseFixture.MAX_WAIT, a::close);
  }

  @Test
  void requestOfAClosedStoreIsUnknown() {
    server.faults().set(Fault.hang(), RequestFilter.all());
    Claimant a = outpost.claimant("a");
    CompletionStage<LeaseResponse> asked = a.send(new LeaseRequest.Look());
    await().atMost(ApiServerLeaseFixture.MAX_WAIT).until(() -> !server.requests().isEmpty());

    a.close();

    assertThat(Claimant.answerTo(asked)).isInstanceOf(LeaseResponse.Unknown.class);
    assertThat(a.ask(new LeaseRequest.Look())).isInstanceOf(LeaseResponse.Unknown.class);
    await()
        .atMost(ApiServerLeaseFixture.MAX_WAIT)
        .until(() -> started(ApplicationIsolationTest::isOurs).isEmpty());
  }

  @Test
  void openingAStoreDoesNotWaitForAnUnreachableServer() {
    server.faults().set(Fault.hang(), RequestFilter.all());
    ElectionConfig config = new ElectionConfig("test", "writer", "a", null, OUTLASTING);

    assertTimeoutPreemptively(
        ApiServerLeaseFixture.MAX_WAIT,
        () -> {
          LeaseStore store = outpost.with(OUTLASTING).open(config);
          RequiredFeature.of(store, LeadershipObserver.class).leadershipChanged(true);
          store.close();
        });
  }

  @Test
  void proxiesCookiesAndPasswordsOfTheAppAreNotUsed() {
    ProxySelector.setDefault(new RecordingProxySelector());
    CookieHandler.setDefault(new RecordingCookieHandler());
    Authenticator.setDefault(new RecordingAuthenticator());
    server.faults().setOnce(Fault.status(401), RequestFilter.to(Verb.GET));
    try (Claimant a = outpost.claimant("a")) {
      a.ask(new LeaseRequest.Look());
      a.lead();
      await()
          .atMost(ApiServerLeaseFixture.MAX_WAIT)
          .until(() -> !server.requests(RequestFilter.to(Verb.WATCH)).isEmpty());
    }

    assertThat(consulted).isEmpty();
  }

  private final class RecordingProxySelector extends ProxySelector {
    @Override
    public List<Proxy> select(URI uri) {
      consulted.add("proxy for " + uri);
      return List.of(Proxy.NO_PROXY);
    }

    @Override
    public void connectFailed(URI uri, SocketAddress address, IOException failure) {
      consulted.add("proxy failed " + uri);
    }
  }

  private final class RecordingCookieHandler extends CookieHandler {
    @Override
    public Map<String, List<String>> get(URI uri, Map<String, List<String>> headers) {
      consulted.add("cookies for " + uri);
      return Map.of();
    }

    @Override
    public void put(URI uri, Map<String, List<String>> headers) {
      consulted.add("cookies of " + uri);
    }
  }

  private final class RecordingAuthenticator extends Authenticator {
    @Override
    protected PasswordAuthentication getPasswordAuthentication() {
      consulted.add("password for " + getRequestingURL());
      return new PasswordAuthentication("user", new char[0]);
    }
  }
}
