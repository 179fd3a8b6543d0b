package io.portcullis.agent.health;

import io.portcullis.agent.config.ElectionSection.EligibilitySection.Endpoint;
import io.portcullis.agent.health.EligibilityMonitor.HealthCheck;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Checks that a TCP connection to an endpoint can be opened. */
record TcpCheck(Endpoint endpoint) implements HealthCheck {

  @Override
  public String name() {
    return "tcp " + endpoint;
  }

  @Override
  public @Nullable String failure(Duration timeout) throws IOException {
    try (Socket socket = connect(endpoint.host(), endpoint.port(), timeout)) {
      return socket.isConnected() ? null : "not connected";
    }
  }

  /** Opens a connection without the SOCKS proxy that the application may have configured. */
  static Socket connect(String host, int port, Duration timeout) throws IOException {
    Socket socket = new Socket(Proxy.NO_PROXY);
    try {
      socket.connect(new InetSocketAddress(host, port), millis(timeout));
    } catch (IOException e) {
      socket.close();
      throw e;
    }
    return socket;
  }

  static int millis(Duration duration) {
    return (int) Math.max(1, Math.min(duration.toMillis(), Integer.MAX_VALUE));
  }
}
