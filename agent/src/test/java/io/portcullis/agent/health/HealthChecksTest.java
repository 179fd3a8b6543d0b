package io.portcullis.agent.health;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.portcullis.agent.config.ElectionSection.EligibilitySection;
import io.portcullis.agent.config.ElectionSection.EligibilitySection.BeanValue;
import io.portcullis.agent.config.ElectionSection.EligibilitySection.Endpoint;
import io.portcullis.agent.health.EligibilityMonitor.CheckRunner;
import io.portcullis.agent.health.EligibilityMonitor.HealthCheck;
import io.portcullis.agent.health.EligibilityMonitor.MBeanCheck;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests health checks against real servers on the loopback address. */
class HealthChecksTest {
  private static final Duration SOON = Duration.ofMillis(300);
  private static final Duration LONG = Duration.ofSeconds(20);

  private final List<Socket> taken = new CopyOnWriteArrayList<>();
  private ServerSocket server;
  private volatile String answer = "";
  private volatile String received = "";

  @BeforeEach
  void listen() throws IOException {
    server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    Thread thread = new Thread(this::serve, "server");
    thread.setDaemon(true);
    thread.start();
  }

  @AfterEach
  void end() throws IOException {
    server.close();
    for (Socket socket : taken) {
      socket.close();
    }
  }

  /** Responds as set, and keeps the connection open if the response does not end in a line end. */
  private void serve() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        taken.add(socket);
        received = new String(socket.getInputStream().readNBytes(4), ISO_8859_1);
        socket.getOutputStream().write(answer.getBytes(ISO_8859_1));
        if (answer.endsWith("\n")) {
          socket.close();
        }
      } catch (IOException e) {
        received = "(" + e + ")"; // The test or the check has ended.
      }
    }
  }

  @Test
  void httpCheckIsNamedWithoutItsQuery() {
    HttpCheck check = new HttpCheck(URI.create("https://h:8443/health?token=hunter2"));

    assertThat(check.name()).isEqualTo("http https://h:8443/health");
    assertThat(check).hasToString("http https://h:8443/health");
  }

  private HttpCheck http() {
    return new HttpCheck(URI.create("http://127.0.0.1:" + server.getLocalPort() + "/health"));
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 204, 299})
  void status2xxIsASuccess(int status) throws Exception {
    answer = "HTTP/1.1 " + status + " Fine\r\nContent-Length: 0\r\n\r\n";

    assertThat(http().failure(LONG)).isNull();
    assertThat(received).isEqualTo("GET ");
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 404, 500, 503})
  void otherStatusFailsAndRedirectsAreNotFollowed(int status) throws Exception {
    answer = "HTTP/1.1 " + status + " No\r\nLocation: http://127.0.0.1:1/\r\n\r\n";

    assertThat(http().failure(LONG)).isEqualTo("status " + status);
    assertThat(taken).hasSize(1);
  }

  @Test
  void nonHttpResponseIsAFailure() throws Exception {
    answer = "220 mail.acme.com ESMTP\r\n";

    assertThat(http().failure(LONG)).isEqualTo("the response is not HTTP");
  }

  @Test
  void missingResponseTimesOut() {
    answer = "HTTP/1.1 2";

    assertThatThrownBy(() -> http().failure(SOON)).isInstanceOf(SocketTimeoutException.class);
  }

  @Test
  void endlessBodyIsNotReadToItsEnd() throws Exception {
    answer = "HTTP/1.1 200 OK\r\n\r\n" + "x".repeat(200_000);

    assertThat(http().failure(LONG)).isNull();
  }

  @Test
  void openPortIsASuccess() throws Exception {
    Endpoint endpoint = new Endpoint("127.0.0.1", server.getLocalPort());

    assertThat(new TcpCheck(endpoint).failure(LONG)).isNull();
  }

  @Test
  void closedPortIsAFailure() throws Exception {
    Endpoint endpoint = new Endpoint("127.0.0.1", refusingPort());

    assertThatThrownBy(() -> new TcpCheck(endpoint).failure(LONG)).isInstanceOf(IOException.class);
  }

  /** Bound, so that no other process gets it, but refuses connections. */
  private int refusingPort() throws IOException {
    Socket bound = new Socket();
    taken.add(bound);
    bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    return bound.getLocalPort();
  }

  @Test
  void mbeanAttributeIsComparedAsText() throws Exception {
    ManagementFactory.getPlatformMBeanServer();
    BeanValue verbose = new BeanValue("java.lang:type=Memory", "Verbose", "false");
    assertThat(new MBeanCheck(verbose).failure(LONG)).isNull();

    assertThat(
            new MBeanCheck(new BeanValue("java.lang:type=Memory", "Verbose", "UP")).failure(LONG))
        .isEqualTo("is false, not UP");
    assertThat(new MBeanCheck(new BeanValue("java.lang:type=Nothing", "A", "UP")).failure(LONG))
        .isEqualTo("there is no such MBean");
  }

  /** Hangs despite interrupts, until it is released. */
  private static final class Hanging implements HealthCheck {
    final CountDownLatch letGo = new CountDownLatch(1);
    final List<String> begun = new CopyOnWriteArrayList<>();

    @Override
    public String name() {
      return "trial";
    }

    @Override
    public @Nullable String failure(Duration timeout) throws InterruptedException {
      begun.add("once");
      letGo.await();
      return null;
    }
  }

  @Test
  void hangingCheckTimesOutAndIsNotStartedTwice() throws InterruptedException {
    Hanging check = new Hanging();
    CheckRunner probe = new CheckRunner("writer", check, SOON);

    for (int round = 0; round < 2; round++) {
      probe.begin();
      assertThat(probe.await()).isEqualTo("trial: no response within 300 ms");
    }
    assertThat(check.begun).hasSize(1);

    check.letGo.countDown();
    await().atMost(LONG).until(() -> probe.await() == null);
    assertThat(check.begun).hasSize(1);
  }

  @Test
  void verdictNamesTheFailedCheck() throws IOException {
    answer = "HTTP/1.1 200 OK\r\n\r\n";
    int refusing = refusingPort();
    List<String> verdicts = new CopyOnWriteArrayList<>();
    EligibilitySection both =
        new EligibilitySection(
            Optional.of(http().uri()),
            Optional.of(new Endpoint("127.0.0.1", refusing)),
            Optional.empty(),
            Duration.ofMillis(20),
            LONG,
            1,
            1);
    EligibilityMonitor eligibility =
        new EligibilityMonitor(
            "writer", both, (eligible, why) -> verdicts.add(eligible + " " + why));
    eligibility.start();
    await().atMost(LONG).until(() -> verdicts.size() > 1);
    eligibility.stop();

    assertThat(verdicts)
        .allMatch(
            text ->
                text.startsWith("false not eligible: tcp 127.0.0.1:" + refusing + ": java.net"));
  }
}
