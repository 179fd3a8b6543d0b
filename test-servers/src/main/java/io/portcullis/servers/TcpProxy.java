package io.portcullis.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A TCP proxy with fault injection: listens on the loopback address and forwards to a target. */
public final class TcpProxy implements AutoCloseable {
  private static final int BUFFER = 16 * 1024;

  private final ServerSocket server;
  private final String targetHost;
  private final int targetPort;
  private final NetworkConditions conditions = new NetworkConditions();
  private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();

  private TcpProxy(ServerSocket server, String targetHost, int targetPort) {
    this.server = server;
    this.targetHost = targetHost;
    this.targetPort = targetPort;
  }

  /** Starts a proxy in front of {@code targetHost:targetPort}. */
  public static TcpProxy to(String targetHost, int targetPort) {
    try {
      ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
      TcpProxy proxy = new TcpProxy(server, targetHost, targetPort);
      inBackground("accept", proxy::accept);
      return proxy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Host on which the proxy listens. */
  public String host() {
    return "127.0.0.1";
  }

  /** Port on which the proxy listens. */
  public int port() {
    return server.getLocalPort();
  }

  /** Number of open connections. */
  public int connections() {
    return connections.size();
  }

  /**
   * Black-holes both directions: connections stay open and are accepted, but no data is forwarded,
   * and no end of a connection is signalled. Data sent meanwhile arrives late, after {@link
   * #heal()}, as with a TCP retransmission.
   */
  public void dropSilently() {
    conditions.set(true, false);
  }

  /** Forwards requests and drops responses. */
  public void dropReplies() {
    conditions.set(false, true);
  }

  /** Ends all faults. A connection that has lost a part of its responses is closed. */
  public void heal() {
    connections.stream()
        .filter(connection -> connection.lostBytes)
        .forEach(ProxiedConnection::close);
    conditions.set(false, false);
    conditions.delay(Duration.ZERO);
  }

  /** Closes all connections; accepts new ones. */
  public void cut() {
    connections.forEach(ProxiedConnection::close);
  }

  /** Delays all data in both directions. */
  public void delay(Duration each) {
    conditions.delay(each);
  }

  @Override
  public void close() {
    closeQuietly(server);
    conditions.end();
    cut();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        ProxiedConnection connection = new ProxiedConnection(server.accept());
        connections.add(connection);
        inBackground("connect", connection::open);
      } catch (IOException e) {
        if (!server.isClosed()) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  private static void inBackground(String what, Runnable task) {
    Thread thread = new Thread(task, "tcp-proxy-" + what);
    thread.setDaemon(true);
    thread.start();
  }

  private static boolean closeQuietly(AutoCloseable open) {
    try {
      open.close();
      return true;
    } catch (Exception e) {
      return false; // It is closed either way.
    }
  }

  private final class ProxiedConnection {
    private final Socket client;
    private volatile Socket target = new Socket();
    private volatile boolean lostBytes;

    ProxiedConnection(Socket client) {
      this.client = client;
    }

    void open() {
      try {
        client.setTcpNoDelay(true);
        conditions.awaitPassage();
        target = new Socket(targetHost, targetPort);
        target.setTcpNoDelay(true);
        if (client.isClosed()) {
          close();
          return;
        }
        inBackground("requests", () -> pump(client, target, false));
        pump(target, client, true);
      } catch (IOException e) {
        close();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        close();
      }
    }

    private void pump(Socket from, Socket to, boolean replies) {
      byte[] buffer = new byte[BUFFER];
      try {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
          conditions.awaitPassage();
          if (replies && conditions.swallowsReplies()) {
            lostBytes = true;
          } else {
            out.write(buffer, 0, n);
          }
        }
        conditions.awaitPassage(); // A black hole hides the end of a connection too.
      } catch (IOException e) {
        close();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        close();
      }
    }

    void close() {
      connections.remove(this);
      closeQuietly(client);
      closeQuietly(target);
    }
  }
}
