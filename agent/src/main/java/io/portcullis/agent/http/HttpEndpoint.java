package io.portcullis.agent.http;

import io.portcullis.agent.config.HttpSection;
import io.portcullis.agent.config.HttpSection.HttpTlsConfig;
import io.portcullis.agent.node.NodeElection;
import io.portcullis.agent.node.NodeView;
import io.portcullis.agent.node.ReloadOutcome;
import io.portcullis.election.backend.FileFingerprint;
import io.portcullis.election.threads.DaemonThreads;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for HTTP connections. If the port is taken, or the socket fails later, it retries at a
 * fixed interval. The election and the application continue meanwhile.
 */
public final class HttpEndpoint {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");
  private static final Duration RETRY_INTERVAL = Duration.ofSeconds(5);

  private final HttpSection section;
  private final EndpointSources sources;

  public HttpEndpoint(HttpSection section, EndpointSources sources) {
    this.section = section;
    this.sources = sources;
  }

  /** Listens on its own daemon thread until the JVM ends. */
  public void start() {
    DaemonThreads.unstarted("portcullis-http", this::run).start();
  }

  private void run() {
    RequestRouter router = new RequestRouter(section, sources);
    boolean logged = false;
    while (true) {
      try (ServerSocket serverSocket = new ServerSocket()) {
        serverSocket.setReuseAddress(true);
        serverSocket.bind(
            new InetSocketAddress(section.bind(), section.port()), HttpLimits.ACCEPT_BACKLOG);
        HttpConnection.SocketWrapper wrapping = wrapping();
        LOG.info(
            "portcullis listening on {}://{}:{}",
            section.tls().isPresent() ? "https" : "http",
            section.bind(),
            serverSocket.getLocalPort());
        logged = false;
        new HttpServer(wrapping, router::answer).acceptConnections(serverSocket);
      } catch (IOException | RuntimeException e) {
        if (!logged) {
          logged = true;
          LOG.error(
              "portcullis can't listen on {}:{} ({}); health, metrics and status are unavailable"
                  + " until the port can be bound. Free the port, or set http.port (0 takes a free"
                  + " one).",
              section.bind(),
              section.port(),
              e.toString());
        }
      }
      LockSupport.parkNanos(RETRY_INTERVAL.toNanos());
    }
  }

  private HttpConnection.SocketWrapper wrapping() throws IOException {
    return section.tls().isPresent() ? new TlsSocketWrapper(section.tls().get()) : socket -> socket;
  }

  /**
   * Starts TLS on each connection with the certificate files as they are at that time. If changed
   * files are invalid, the last valid certificate stays in use and the error is logged once.
   */
  static final class TlsSocketWrapper implements HttpConnection.SocketWrapper {
    private static final Logger LOG = LoggerFactory.getLogger("portcullis");

    private final HttpTlsConfig files;
    private FileFingerprint seen;
    private SSLContext context;

    TlsSocketWrapper(HttpTlsConfig files) throws IOException {
      this.files = files;
      this.seen = fingerprint();
      this.context = files.context();
    }

    @Override
    public Socket wrap(Socket socket) throws IOException {
      SSLSocket wrapped = (SSLSocket) current().getSocketFactory().createSocket(socket, null, true);
      SSLParameters parameters = wrapped.getSSLParameters();
      parameters.setProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
      parameters.setNeedClientAuth(files.ca() != null);
      wrapped.setSSLParameters(parameters);
      wrapped.startHandshake();
      return wrapped;
    }

    private synchronized SSLContext current() {
      FileFingerprint now = fingerprint();
      if (!now.equals(seen)) {
        seen = now;
        try {
          context = files.context();
          LOG.info("portcullis loaded the changed HTTP certificate {}", files.cert());
        } catch (IOException e) {
          LOG.error("portcullis keeps its certificate for HTTP: {}", e.getMessage());
        }
      }
      return context;
    }

    private FileFingerprint fingerprint() {
      return FileFingerprint.of(
          Stream.of(files.cert(), files.key(), files.ca()).filter(Objects::nonNull).toList());
    }
  }

  /**
   * Data and operations that the endpoint offers over HTTP.
   *
   * @param view the current state of the node
   * @param metrics renders a view in the Prometheus text format
   * @param elections the elections that accept admin commands
   * @param reload reads the configuration again; may block for long
   * @param diagnostics the diagnostics report as JSON
   */
  public record EndpointSources(
      Supplier<NodeView> view,
      Function<NodeView, String> metrics,
      List<NodeElection> elections,
      Supplier<ReloadOutcome> reload,
      Supplier<String> diagnostics) {}
}
