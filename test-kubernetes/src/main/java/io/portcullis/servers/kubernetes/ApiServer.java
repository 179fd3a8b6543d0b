package io.portcullis.servers.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.portcullis.servers.SelfSignedCertificate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** A Kubernetes API server inside this JVM, with fault injection. */
public final class ApiServer implements AutoCloseable {
  /** Namespace in {@link #kubeconfig} and {@link #serviceAccount}. */
  public static final String NAMESPACE = "portcullis-test";

  /** Default token in {@link #kubeconfig} and {@link #serviceAccount}. */
  public static final String TOKEN = "token-of-a-client";

  /** Maximum number of requests in the log. */
  private static final int MAX_LOGGED_REQUESTS = 100_000;

  private static final int BACKLOG = 50;

  private final ServerSocket socket;
  private volatile Optional<ServerTlsConfig> tls;
  private final String tokenOfTheTest = "test-" + UUID.randomUUID();
  private final ObjectStore store = new ObjectStore();
  private final ApiRequestHandler api = new ApiRequestHandler(store);
  private final ApiFaultInjector faults = new ApiFaultInjector(this::endWatches);
  private final Set<ConnectionHandler> connections = ConcurrentHashMap.newKeySet();
  private final ArrayDeque<RequestLogEntry> requestLog = new ArrayDeque<>();

  private ApiServer(Optional<ServerTlsConfig> showing) {
    try {
      this.socket = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.tls = showing;
  }

  /** Starts a server with plain HTTP. */
  public static ApiServer start() {
    return started(new ApiServer(Optional.empty()));
  }

  /** Starts a server with TLS and a certificate for 127.0.0.1. */
  public static ApiServer start(SelfSignedCertificate certificate) {
    return started(new ApiServer(Optional.of(new ServerTlsConfig(certificate, Optional.empty()))));
  }

  private static ApiServer started(ApiServer server) {
    DaemonThread.run("accept", server::accept);
    return server;
  }

  /** URL of the server. */
  public String url() {
    return (tls.isPresent() ? "https" : "http") + "://127.0.0.1:" + port();
  }

  /** Port on which the server listens. */
  public int port() {
    return socket.getLocalPort();
  }

  /** Certificate that a client has to trust, if the server uses TLS. */
  public Optional<Path> authority() {
    return tls.map(shown -> shown.own().certificate());
  }

  /** Uses another certificate for new connections. */
  public void useCertificate(SelfSignedCertificate certificate) {
    tls = tls.map(shown -> new ServerTlsConfig(certificate, shown.clients()));
  }

  /** Requires this client certificate on new connections. */
  public void requireClientCertificate(SelfSignedCertificate client) {
    tls = tls.map(shown -> new ServerTlsConfig(shown.own(), Optional.of(client)));
  }

  /** The faults of this server; may be changed at any time. */
  public ApiFaultInjector faults() {
    return faults;
  }

  /** Number of open connections. */
  public int connections() {
    return connections.size();
  }

  /** Closes all connections at once, including watches; accepts new ones. */
  public void cut() {
    connections.forEach(ConnectionHandler::close);
  }

  /** Discards the history of changes: a watch from an earlier version gets 410. */
  public void forgetHistory() {
    store.forgetHistory();
  }

  /** Requests of clients, except the test's own, oldest first. */
  public List<RequestLogEntry> requests() {
    synchronized (requestLog) {
      return List.copyOf(requestLog);
    }
  }

  /** Requests of clients that match the filter. */
  public List<RequestLogEntry> requests(RequestFilter which) {
    return requests().stream().filter(which::include).toList();
  }

  /** Client for the Leases of {@link #NAMESPACE}, for the test itself; not affected by faults. */
  public LeaseClient leases() {
    return new LeaseClient(client(), NAMESPACE);
  }

  /**
   * Creates a client for the test itself, not affected by faults and not logged; the test closes
   * it.
   */
  public KubernetesClient client() {
    ConfigBuilder config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl(url())
            .withNamespace(NAMESPACE)
            .withOauthToken(tokenOfTheTest);
    authority().ifPresent(file -> config.withCaCertFile(file.toString()));
    return LeaseClient.client(config.build());
  }

  /** Writes a kubeconfig with {@link #TOKEN}. */
  public Path kubeconfig(Path folder) {
    return kubeconfig(folder, TOKEN);
  }

  /** Writes a kubeconfig with a separate token, so that faults can distinguish clients. */
  public Path kubeconfig(Path folder, String token) {
    return access(token).kubeconfig(folder, ClientConfigFiles.RIGHT);
  }

  /**
   * Writes a kubeconfig with two contexts: {@link ClientConfigFiles#RIGHT}, and {@link
   * ClientConfigFiles#WRONG}, which points to another namespace of a server that does not exist.
   *
   * @param current the current context
   */
  public Path kubeconfigOfTwo(Path folder, String current) {
    return access(TOKEN).kubeconfigOfTwo(folder, current);
  }

  /** Writes {@code token}, {@code namespace} and, with TLS, {@code ca.crt}, as in a pod. */
  public Path serviceAccount(Path folder) {
    return serviceAccount(folder, TOKEN);
  }

  /** Writes the files with another token; also renews the token in place. */
  public Path serviceAccount(Path folder, String token) {
    return access(token).serviceAccount(folder);
  }

  private ClientConfigFiles access(String token) {
    return new ClientConfigFiles(url(), authority().map(ApiServer::text), token, NAMESPACE);
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      endWatches();
      cut();
      faults.end();
    }
  }

  ApiRequestHandler api() {
    return api;
  }

  ObjectStore store() {
    return store;
  }

  boolean isOfTheTest(String token) {
    return token.equals(tokenOfTheTest);
  }

  void logRequest(RequestLogEntry asked) {
    synchronized (requestLog) {
      if (requestLog.size() == MAX_LOGGED_REQUESTS) {
        requestLog.removeFirst();
      }
      requestLog.addLast(asked);
    }
  }

  void removeConnection(ConnectionHandler connection) {
    connections.remove(connection);
  }

  private void endWatches() {
    connections.forEach(ConnectionHandler::endWatch);
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket plain = socket.accept();
        Optional<ServerTlsConfig> now = tls;
        Socket wire = now.isPresent() ? now.get().over(plain) : plain;
        ConnectionHandler connection = new ConnectionHandler(this, wire);
        connections.add(connection);
        DaemonThread.run("connection", connection::serve);
      } catch (IOException e) {
        if (!socket.isClosed()) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }
}
