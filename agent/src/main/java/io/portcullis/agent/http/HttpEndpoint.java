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
 * Listens for HTTP. If the port is taken, or the socket fails later, it is tried again and again:
 * the election goes on meanwhile, and so does the application.
 */
public final class HttpEndpoint {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");
  private static final Duration RETRY_INTERVAL = Duration.ofSeconds(5);

  private final HttpSection section;
  private final EndpointSources sources;

  /** Answers as {@code section} says with what is {@code served}. */
  public HttpEndpoint(HttpSection section, EndpointSources served) {
    this.section = section;
    this.sources = served;
  }

  /** Listens on a daemon thread of its own until the JVM ends. */
  public void start() {
    DaemonThreads.unstarted("portcullis-http", this::run).start();
  }

  private void run() {
    RequestRouter reception = new RequestRouter(section, sources);
    boolean said = false;
    while (true) {
      try (ServerSocket door = new ServerSocket()) {
        door.setReuseAddress(true);
        door.bind(new InetSocketAddress(section.bind(), section.port()), HttpLimits.ACCEPT_BACKLOG);
        HttpConnection.SocketWrapper wrapping = wrapping();
        LOG.info(
            "portcullis listening on {}://{}:{}",
            section.tls().isPresent() ? "https" : "http",
            section.bind(),
            door.getLocalPort());
        said = false;
        new HttpServer(wrapping, reception::answer).acceptConnections(door);
      } catch (IOException | RuntimeException e) {
        if (!said) {
          said = true;
          LOG.error(
              "portcullis can't listen on {}:{} ({}); health, metrics and status are not to be had"
                  + " there until it can. Free the port, or set http.port (0 takes a free one).",
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
   * TLS on each connection, by the files as they are when it begins. Files that can't be right
   * leave the last good ones in force, and are complained of once.
   */
  static final class TlsSocketWrapper implements HttpConnection.SocketWrapper {
    private static final Logger LOG = LoggerFactory.getLogger("portcullis");

    private final HttpTlsConfig files;
    private FileFingerprint seen;
    private SSLContext context;

    TlsSocketWrapper(HttpTlsConfig files) throws IOException {
      this.files = files;
      this.seen = stand();
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
      FileFingerprint now = stand();
      if (!now.equals(seen)) {
        seen = now;
        try {
          context = files.context();
          LOG.info("portcullis serves HTTP with the certificate that is now in {}", files.cert());
        } catch (IOException e) {
          LOG.error("portcullis keeps its certificate for HTTP: {}", e.getMessage());
        }
      }
      return context;
    }

    private FileFingerprint stand() {
      return FileFingerprint.of(
          Stream.of(files.cert(), files.key(), files.ca()).filter(Objects::nonNull).toList());
    }
  }

  /**
   * What is shown and commanded over HTTP.
   *
   * @param view how the node stands at this moment
   * @param metrics renders a view for scrapers
   * @param elections the node's elections, to be commanded
   * @param reload reads the configuration again; may take its time
   * @param diagnostics all there is to know for whoever looks for a fault, as JSON
   */
  public record EndpointSources(
      Supplier<NodeView> view,
      Function<NodeView, String> metrics,
      List<NodeElection> elections,
      Supplier<ReloadOutcome> reload,
      Supplier<String> diagnostics) {}
}
