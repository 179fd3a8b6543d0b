package io.portcullis.agent.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.agent.http.HttpEndpoint.EndpointSources;
import io.portcullis.agent.node.NodeView;
import io.portcullis.agent.node.NodeViewFixtures;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests abusive clients over real sockets. An ordinary client must not be affected. */
class HttpAbuseTest {
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final int MANY = 250;
  private static final String GET = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

  /** A hundred of these responses are more than a socket buffers while no client reads. */
  private static final int BIG = 128 * 1024;

  private static int port;
  private final List<Socket> clients = new ArrayList<>();

  @BeforeAll
  static void listen() throws IOException {
    NodeView view = NodeViewFixtures.node(NodeViewFixtures.standby("writer"));
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    EndpointSources served = HttpEndpointFixture.served(() -> view);
    String big = "x".repeat(BIG);
    new HttpEndpoint(
            HttpEndpointFixture.section(port),
            new EndpointSources(
                served.view(),
                any -> big,
                served.elections(),
                served.reload(),
                served.diagnostics()))
        .start();
    await().atMost(LONG).ignoreExceptions().until(() -> health() == 200);
  }

  @AfterEach
  void closeAll() throws IOException {
    for (Socket client : clients) {
      client.close();
    }
    await().atMost(LONG).until(() -> servingThreads() <= 1);
  }

  private static int health() throws IOException {
    try (RawHttpClient client = new RawHttpClient(port)) {
      client.send(GET);
      return client.answer().status();
    }
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket();
    clients.add(socket);
    socket.setReceiveBufferSize(4 * 1024);
    socket.setSoTimeout((int) LONG.toMillis());
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    return socket;
  }

  private void connectMany(String words) throws IOException {
    for (int i = 0; i < MANY; i++) {
      send(connect(), words);
    }
  }

  private static void send(Socket socket, String words) throws IOException {
    socket.getOutputStream().write(words.getBytes(StandardCharsets.UTF_8));
  }

  private static long servingThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("portcullis-http-"))
        .filter(
            thread ->
                Stream.of(thread.getStackTrace())
                    .anyMatch(frame -> frame.getClassName().equals(HttpConnection.class.getName())))
        .count();
  }

  private static boolean isCutOff(Socket socket) {
    try {
      while (socket.getInputStream().read() >= 0) {
        // Earlier responses.
      }
      return true;
    } catch (SocketException e) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void incompleteRequestsUseFewThreadsAndBlockNobody() throws IOException {
    connectMany("GET /healthz HTTP/1.1\r\nHos");

    assertThat(health()).isEqualTo(200);
    assertThat(servingThreads()).isLessThanOrEqualTo(HttpLimits.MAX_CONNECTIONS);
    for (Socket client : clients) {
      assertThat(isCutOff(client)).isTrue();
    }
  }

  @Test
  void clientsThatReadNoResponseAreDisconnected() throws IOException {
    connectMany("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(99));

    assertThat(health()).isEqualTo(200);
    await().atMost(LONG).until(() -> servingThreads() == 0);
    assertThat(health()).isEqualTo(200);
  }

  @Test
  void slowlorisClientIsDisconnected() throws IOException {
    Socket slow = connect();
    long start = System.nanoTime();

    await()
        .atMost(LONG)
        .pollInterval(Duration.ofMillis(200))
        .until(
            () -> {
              try {
                send(slow, "x");
                return false;
              } catch (SocketException e) {
                return true;
              }
            });

    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isGreaterThan(HttpLimits.MAX_REQUEST_TIME.minusSeconds(1));
    assertThat(health()).isEqualTo(200);
  }

  @Test
  void invalidRequestClosesOnlyItsOwnConnection() throws IOException {
    try (RawHttpClient client = new RawHttpClient(port)) {
      client.send(GET + "GET /healthz HTTP/1.1\r\nnocolon\r\n\r\n" + GET);

      assertThat(client.answer().status()).isEqualTo(200);
      assertThat(client.answer().status()).isEqualTo(400);
      assertThat(client.isCutOff()).isTrue();
    }
    assertThat(health()).isEqualTo(200);
  }

  @Test
  void pipelinedRequestsAreServedUpToALimit() throws IOException {
    try (RawHttpClient client = new RawHttpClient(port)) {
      client.send(GET.repeat(5_000));
      for (int i = 1; i < HttpLimits.MAX_REQUESTS_PER_CONNECTION; i++) {
        assertThat(client.answer().header("connection")).isEmpty();
      }
      assertThat(client.answer().header("connection")).isEqualTo("close");
      assertThat(client.isCutOff()).isTrue();
    }
    assertThat(health()).isEqualTo(200);
  }

  @Test
  void oversizedRequestIsRefusedAndDisconnected() throws IOException {
    for (String request :
        List.of(
            "GET /healthz HTTP/1.1\r\nX: " + "x".repeat(64 * 1024),
            "POST /api/drain HTTP/1.1\r\nHost: a\r\nContent-Length: 2147483647\r\n\r\n",
            "POST /api/drain HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "400\r\n".repeat(1000))) {
      try (RawHttpClient client = new RawHttpClient(port)) {
        client.send(request);

        assertThat(client.answer().status()).isIn(431, 413, 411);
        assertThat(client.isCutOff()).isTrue();
      }
    }
    assertThat(health()).isEqualTo(200);
  }

  @Test
  void foreignHostHeaderIsRefusedOnLoopback() throws IOException {
    try (RawHttpClient client = new RawHttpClient(port)) {
      for (String host : List.of("localhost:9470", "127.0.0.1", "[::1]:9470", "a.localhost")) {
        client.send(GET.replace("localhost", host));
        assertThat(client.answer().status()).as(host).isEqualTo(200);
      }
      for (String host : List.of("evil.example", "localhost.evil.example:9470", "127.0.0.1.evil")) {
        client.send(GET.replace("localhost", host));
        assertThat(client.answer().status()).as(host).isEqualTo(421);
      }
    }
  }
}
