package io.portcullis.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TcpProxyTest {
  private final AtomicInteger served = new AtomicInteger();
  private ServerSocket echo;
  private TcpProxy proxy;

  @BeforeEach
  void start() throws IOException {
    echo = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    background(this::serve);
    proxy = TcpProxy.to("127.0.0.1", echo.getLocalPort());
  }

  @AfterEach
  void stop() throws IOException {
    proxy.close();
    echo.close();
  }

  @Test
  void bytesPassInBothDirections() throws Exception {
    try (Socket client = connect()) {
      assertThat(exchange(client, 7)).isEqualTo(7);
    }
  }

  @Test
  void blackHoleKeepsConnectionsOpenWithoutForwarding() throws Exception {
    try (Socket old = connect()) {
      exchange(old, 1);

      proxy.dropSilently();

      assertThatThrownBy(() -> exchange(old, 2)).isInstanceOf(SocketTimeoutException.class);
      try (Socket late = connect()) {
        assertThatThrownBy(() -> exchange(late, 3)).isInstanceOf(SocketTimeoutException.class);
        assertThat(served).hasValue(1);

        proxy.heal();

        assertThat(old.getInputStream().read()).isEqualTo(2);
        assertThat(late.getInputStream().read()).isEqualTo(3);
      }
    }
  }

  @Test
  void requestsPassWhileResponsesAreDropped() throws Exception {
    try (Socket client = connect()) {
      exchange(client, 1);

      proxy.dropReplies();

      assertThatThrownBy(() -> exchange(client, 2)).isInstanceOf(SocketTimeoutException.class);
      assertThat(served).hasValue(2);

      proxy.heal();

      assertThat(client.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void closedConnectionsCanBeReplaced() throws Exception {
    try (Socket client = connect()) {
      exchange(client, 1);

      proxy.cut();

      assertThat(client.getInputStream().read()).isEqualTo(-1);
      try (Socket next = connect()) {
        assertThat(exchange(next, 5)).isEqualTo(5);
      }
    }
  }

  @Test
  void delayAppliesToBothDirections() throws Exception {
    proxy.delay(Duration.ofMillis(100));
    try (Socket client = connect()) {
      long sent = System.nanoTime();

      exchange(client, 1);

      assertThat(Duration.ofNanos(System.nanoTime() - sent)).isGreaterThan(Duration.ofMillis(200));
    }
  }

  private Socket connect() throws IOException {
    Socket client = new Socket(proxy.host(), proxy.port());
    client.setSoTimeout(1500);
    return client;
  }

  private static int exchange(Socket client, int value) throws IOException {
    client.getOutputStream().write(value);
    return client.getInputStream().read();
  }

  private void serve() {
    while (!echo.isClosed()) {
      try {
        Socket client = echo.accept();
        background(() -> answer(client));
      } catch (IOException e) {
        return; // The test is over.
      }
    }
  }

  private void answer(Socket client) {
    try (client) {
      for (int n = client.getInputStream().read(); n >= 0; n = client.getInputStream().read()) {
        served.incrementAndGet();
        client.getOutputStream().write(n);
      }
    } catch (IOException e) {
      return; // The client has disconnected.
    }
  }

  private static void background(Runnable task) {
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    thread.start();
  }
}
