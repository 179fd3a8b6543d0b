package io.portcullis.backend.redis;

import io.portcullis.servers.SelfSignedCertificate;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;

/** Accepts TLS and forwards plain text to a server, with a certificate of no known authority. */
final class TlsProxy implements AutoCloseable {
  private final SSLServerSocket socket;
  private final int targetPort;
  private final Path certificate;

  private TlsProxy(SSLServerSocket socket, int targetPort, Path certificate) {
    this.socket = socket;
    this.targetPort = targetPort;
    this.certificate = certificate;
  }

  /** A proxy whose certificate has these names, as keytool writes them. */
  static TlsProxy before(int targetPort, Path folder, String names) throws Exception {
    SelfSignedCertificate certificate = SelfSignedCertificate.create(folder, names);
    KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
    factory.init(certificate.keys(), SelfSignedCertificate.PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(factory.getKeyManagers(), null, null);
    SSLServerSocket socket =
        (SSLServerSocket)
            context
                .getServerSocketFactory()
                .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    TlsProxy front = new TlsProxy(socket, targetPort, certificate.certificate());
    background(front::accept);
    return front;
  }

  Path certificate() {
    return certificate;
  }

  int port() {
    return socket.getLocalPort();
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket client = socket.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), targetPort);
        background(() -> pump(client, server));
        background(() -> pump(server, client));
      } catch (IOException e) {
        return; // The test is over.
      }
    }
  }

  private static void pump(Socket from, Socket to) {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] buffer = new byte[8192];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        out.write(buffer, 0, n);
        out.flush();
      }
    } catch (IOException e) {
      return; // One side has closed the connection.
    }
  }

  private static void background(Runnable task) {
    Thread thread = new Thread(task, "tls-front");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
