package io.portcullis.agent.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.agent.node.NodeView;
import io.portcullis.agent.node.NodeViewFixtures;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Tests a real HTTP endpoint over real sockets. */
class HttpEndpointTest {
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final NodeView STANDBY = NodeViewFixtures.node(NodeViewFixtures.standby("writer"));
  private static volatile Supplier<NodeView> node = () -> STANDBY;
  private static int port;

  @BeforeAll
  static void listen() throws IOException {
    port = freePort();
    listener(port).start();
    awaitUp(port);
  }

  @BeforeEach
  void nodeThatStandsBy() {
    node = () -> STANDBY;
  }

  private static HttpEndpoint listener(int port) {
    return HttpEndpointFixture.on(port, () -> node.get());
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static void awaitUp(int port) {
    await().atMost(LONG).ignoreExceptions().until(() -> ask(port, "GET /healthz") != null);
  }

  private static String whole(String request) {
    return request + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
  }

  private static RawHttpClient.RawResponse ask(int port, String request) throws IOException {
    try (RawHttpClient client = new RawHttpClient(port)) {
      client.send(whole(request));
      return client.answer();
    }
  }

  @Test
  void endpointServesTheStatusPaths() throws IOException {
    RawHttpClient.RawResponse health = ask(port, "GET /healthz");
    RawHttpClient.RawResponse leader = ask(port, "GET /leader");
    RawHttpClient.RawResponse metrics = ask(port, "GET /metrics");

    assertThat(health.statusLine()).isEqualTo("HTTP/1.1 200 OK");
    assertThat(health.header("content-type")).isEqualTo("application/json");
    assertThat(health.header("cache-control")).isEqualTo("no-store");
    assertThat(health.body()).isEqualTo(StatusJson.probe(STANDBY));
    assertThat(leader.statusLine()).isEqualTo("HTTP/1.1 503 Service Unavailable");
    assertThat(metrics.header("content-type")).startsWith("text/plain; version=0.0.4");
    assertThat(metrics.body()).isEqualTo("metrics of a-4711-9f31");
  }

  @Test
  void pathMayHaveAQuery() throws IOException {
    assertThat(ask(port, "GET /healthz?verbose=1").status()).isEqualTo(200);
    assertThat(ask(port, "GET /leader/writer?x").status()).isEqualTo(503);
  }

  @Test
  void unknownPathReturns404() throws IOException {
    assertThat(ask(port, "GET /leader/reader").status()).isEqualTo(404);
    assertThat(ask(port, "GET /nothing").status()).isEqualTo(404);
    assertThat(ask(port, "GET /healthz/../leader").status()).isEqualTo(404);
  }

  @Test
  void headReturnsTheLengthWithoutBody() throws IOException {
    try (RawHttpClient client = new RawHttpClient(port)) {
      client.send(whole("HEAD /healthz"));
      RawHttpClient.RawResponse head = client.answerWithoutBody();
      client.send(whole("GET /healthz"));
      RawHttpClient.RawResponse get = client.answer();

      assertThat(head.status()).isEqualTo(200);
      assertThat(get.status()).isEqualTo(200);
      assertThat(head.header("content-length"))
          .isEqualTo(get.header("content-length"))
          .isEqualTo(Integer.toString(get.body().length()));
    }
  }

  @Test
  void unknownMethodGetsTheAllowedMethods() throws IOException {
    RawHttpClient.RawResponse answer = ask(port, "BREW /healthz");

    assertThat(answer.status()).isEqualTo(405);
    assertThat(answer.header("allow")).isEqualTo("GET, HEAD");
  }

  @Test
  void pipelinedRequestsAreServedInOrder() throws IOException {
    try (RawHttpClient client = new RawHttpClient(port)) {
      client.send(whole("GET /healthz") + whole("GET /leader") + whole("GET /nothing"));

      assertThat(client.answer().status()).isEqualTo(200);
      assertThat(client.answer().status()).isEqualTo(503);
      assertThat(client.answer().status()).isEqualTo(404);
    }
  }

  @Test
  void garbageInputDoesNotStopTheServer() throws IOException {
    try (RawHttpClient client = new RawHttpClient(port)) {
      client.send("\u0000\u0001\u0002\r\n\r\n");

      assertThat(ask(port, "GET /healthz").status()).isEqualTo(200);
    }
  }

  @Test
  void internalErrorReturns500AndTheServerContinues() throws IOException {
    node =
        () -> {
          throw new IllegalStateException("a bug");
        };

    assertThat(ask(port, "GET /healthz").status()).isEqualTo(500);

    node = () -> STANDBY;

    assertThat(ask(port, "GET /healthz").status()).isEqualTo(200);
  }

  @Test
  void serverStartsWhenAnOccupiedPortBecomesFree() throws IOException {
    int taken;
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      taken = other.getLocalPort();
      Thread thread = startAndAwaitPause(taken);

      assertThat(thread.isAlive()).isTrue();
    }

    awaitUp(taken);
  }

  /** A port that stays occupied must not use up the application's file handles. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void occupiedPortLeaksNoFileHandles() throws IOException {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      long before = handles();

      startAndAwaitPause(other.getLocalPort());

      assertThat(handles()).isLessThanOrEqualTo(before); // Earlier tests may still close some.
    }
  }

  /** Starts an endpoint on an occupied port, and returns its thread once it has failed. */
  private static Thread startAndAwaitPause(int taken) {
    List<Thread> before = listenerThreads();
    listener(taken).start();
    Thread thread =
        listenerThreads().stream().filter(each -> !before.contains(each)).findFirst().orElseThrow();
    await().atMost(LONG).until(() -> thread.getState() == Thread.State.TIMED_WAITING);
    return thread;
  }

  private static List<Thread> listenerThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("portcullis-http"))
        .toList();
  }

  private static long handles() throws IOException {
    try (Stream<Path> handles = Files.list(Path.of("/proc/self/fd"))) {
      return handles.filter(HttpEndpointTest::isSocketOrSelector).count();
    }
  }

  private static boolean isSocketOrSelector(Path handle) {
    try {
      String target = Files.readSymbolicLink(handle).toString();
      return target.contains("socket:") || target.contains("[eventpoll]");
    } catch (IOException e) { // Closed between listing and reading.
      return false;
    }
  }
}
