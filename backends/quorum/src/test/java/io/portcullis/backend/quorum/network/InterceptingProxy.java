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

/** Someone between dialler and acceptor who forwards, keeps and adds bytes. */
final class InterceptingProxy implements AutoCloseable {
  private final ServerSocket server;
  private final int target;
  final List<ProxiedConnection> connections = new CopyOnWriteArrayList<>();

  private InterceptingProxy(ServerSocket server, int target) {
    this.server = server;
    this.target = target;
  }

  static InterceptingProxy to(int target) throws IOException {
    InterceptingProxy tap =
        new InterceptingProxy(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), target);
    start("accept", tap::accept);
    return tap;
  }

  int port() {
    return server.getLocalPort();
  }

  /** The connections that became links: a call to the own address ends before it tells its own. */
  List<ProxiedConnection> links() {
    return connections.stream()
        .filter(
            connection ->
                RawFrames.split(connection.sentByDialler()).stream()
                    .anyMatch(frame -> RawFrames.kind(frame) == FrameType.ADDRESS))
        .toList();
  }

  private void accept() {
    try {
      while (true) {
        Socket dialler = server.accept();
        ProxiedConnection connection;
        try {
          connection =
              new ProxiedConnection(dialler, new Socket(InetAddress.getLoopbackAddress(), target));
        } catch (IOException e) {
          dialler.close();
          continue;
        }
        connections.add(connection);
        start("there", () -> connection.pump(dialler, connection.acceptor, connection.there));
        start("back", () -> connection.pump(connection.acceptor, dialler, connection.back));
      }
    } catch (IOException e) {
      // Closed: nobody calls any more.
      connections.forEach(ProxiedConnection::close);
    }
  }

  private static void start(String what, Runnable task) {
    Thread thread = new Thread(task, "tap-" + what);
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    server.close();
    connections.forEach(ProxiedConnection::close);
  }

  /** One tapped connection. */
  static final class ProxiedConnection {
    final Socket dialler;
    final Socket acceptor;
    private final ByteArrayOutputStream there = new ByteArrayOutputStream();
    private final ByteArrayOutputStream back = new ByteArrayOutputStream();

    ProxiedConnection(Socket dialler, Socket acceptor) {
      this.dialler = dialler;
      this.acceptor = acceptor;
    }

    private void pump(Socket from, Socket to, ByteArrayOutputStream record) {
      byte[] buffer = new byte[4096];
      try {
        InputStream in = from.getInputStream();
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
          synchronized (record) {
            record.write(buffer, 0, n);
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

    byte[] sentByDialler() {
      synchronized (there) {
        return there.toByteArray();
      }
    }

    byte[] sentByAcceptor() {
      synchronized (back) {
        return back.toByteArray();
      }
    }

    void injectToAcceptor(byte[] bytes) throws IOException {
      synchronized (there) {
        write(acceptor, bytes, bytes.length);
      }
    }

    void injectToDialler(byte[] bytes) throws IOException {
      synchronized (back) {
        write(dialler, bytes, bytes.length);
      }
    }

    void close() {
      for (Socket socket : List.of(dialler, acceptor)) {
        try {
          socket.close();
        } catch (IOException e) {
          throw new AssertionError(e);
        }
      }
    }
  }
}
