package io.portcullis.backend.quorum.network;

import io.portcullis.backend.quorum.network.Frame.FrameType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A proxy between dialer and acceptor that forwards, records and injects bytes. */
final class InterceptingProxy implements AutoCloseable {
  private final ServerSocket server;
  private final int target;
  final List<ProxiedConnection> connections = new CopyOnWriteArrayList<>();

  private InterceptingProxy(ServerSocket server, int target) {
    this.server = server;
    this.target = target;
  }

  static InterceptingProxy to(int target) throws IOException {
    InterceptingProxy proxy =
        new InterceptingProxy(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), target);
    start("accept", proxy::accept);
    return proxy;
  }

  int port() {
    return server.getLocalPort();
  }

  /** The established connections: a connection to the own address ends before its ADDRESS frame. */
  List<ProxiedConnection> links() {
    return connections.stream()
        .filter(
            connection ->
                RawFrames.split(connection.sentByDialer()).stream()
                    .anyMatch(frame -> RawFrames.type(frame) == FrameType.ADDRESS))
        .toList();
  }

  private void accept() {
    try {
      while (true) {
        Socket dialer = server.accept();
        ProxiedConnection connection;
        try {
          connection =
              new ProxiedConnection(dialer, new Socket(InetAddress.getLoopbackAddress(), target));
        } catch (IOException e) {
          dialer.close();
          continue;
        }
        connections.add(connection);
        start(
            "toAcceptor",
            () -> connection.pump(dialer, connection.acceptor, connection.toAcceptor));
        start("toDialer", () -> connection.pump(connection.acceptor, dialer, connection.toDialer));
      }
    } catch (IOException e) {
      // The proxy was closed.
      connections.forEach(ProxiedConnection::close);
    }
  }

  private static void start(String name, Runnable task) {
    Thread thread = new Thread(task, "proxy-" + name);
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    server.close();
    connections.forEach(ProxiedConnection::close);
  }

  /** A connection through the proxy. */
  static final class ProxiedConnection {
    final Socket dialer;
    final Socket acceptor;
    private final ByteArrayOutputStream toAcceptor = new ByteArrayOutputStream();
    private final ByteArrayOutputStream toDialer = new ByteArrayOutputStream();

    ProxiedConnection(Socket dialer, Socket acceptor) {
      this.dialer = dialer;
      this.acceptor = acceptor;
    }

    private void pump(Socket from, Socket to, ByteArrayOutputStream recording) {
      byte[] buffer = new byte[4096];
      try {
        InputStream in = from.getInputStream();
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
          synchronized (recording) {
            recording.write(buffer, 0, n);
            write(to, buffer, n);
          }
        }
      } catch (IOException e) {
        close();
      } finally {
        close();
      }
    }

    private static void write(Socket to, byte[] bytes, int length) throws IOException {
      OutputStream out = to.getOutputStream();
      out.write(bytes, 0, length);
      out.flush();
    }

    byte[] sentByDialer() {
      synchronized (toAcceptor) {
        return toAcceptor.toByteArray();
      }
    }

    byte[] sentByAcceptor() {
      synchronized (toDialer) {
        return toDialer.toByteArray();
      }
    }

    void injectToAcceptor(byte[] bytes) throws IOException {
      synchronized (toAcceptor) {
        write(acceptor, bytes, bytes.length);
      }
    }

    void injectToDialer(byte[] bytes) throws IOException {
      synchronized (toDialer) {
        write(dialer, bytes, bytes.length);
      }
    }

    void close() {
      for (Socket socket : List.of(dialer, acceptor)) {
        try {
          socket.close();
        } catch (IOException e) {
          throw new AssertionError(e);
        }
      }
    }
  }
}
