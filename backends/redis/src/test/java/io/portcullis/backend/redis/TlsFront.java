package io.portcullis.backend.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;

/** Speaks TLS to clients and plain text to a server, under a certificate nobody knows. */
final class TlsFront implements AutoCloseable {
  private static final String PASSWORD = "changeit";

  private final SSLServerSocket socket;
  private final int targetPort;
  private final Path certificate;

  private TlsFront(SSLServerSocket socket, int targetPort, Path certificate) {
    this.socket = socket;
    this.targetPort = targetPort;
    this.certificate = certificate;
  }

  /** One whose certificate bears these names, as keytool writes them. */
  static TlsFront before(int targetPort, Path folder, String names) throws Exception {
    Path store = folder.resolve("keys.p12");
    Path certificate = folder.resolve("ca.pem");
    keytool(
        List.of("-genkeypair", "-alias", "redis", "-keyalg", "EC", "-validity", "2")
            .toArray(new String[0]),
        store,
        "-dname",
        "CN=test",
        "-ext",
        "san=" + names);
    keytool(
        new String[] {"-exportcert", "-alias", "redis", "-rfc"},
        store,
        "-file",
        certificate.toString());
    KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
    KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
    factory.init(keys, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(factory.getKeyManagers(), null, null);
    SSLServerSocket socket =
        (SSLServerSocket)
            context
                .getServerSocketFactory()
                .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    TlsFront front = new TlsFront(socket, targetPort, certificate);
    background(front::accept);
    return front;
  }

  private static void keytool(String[] action, Path store, String... more) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
    command.addAll(List.of(action));
    command.addAll(
        List.of("-keystore", store.toString(), "-storepass", PASSWORD, "-storetype", "PKCS12"));
    command.addAll(List.of(more));
    Path log = Files.createTempFile(store.getParent(), "keytool", ".log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    if (!process.waitFor(30, TimeUnit.SECONDS) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IllegalStateException(Files.readString(log));
    }
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
      return; // One of them is gone.
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
