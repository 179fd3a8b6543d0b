package io.portcullis.agent.health;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * Whether a GET is answered by a status of 2xx. Written on a plain socket: the JDK's clients share
 * proxies, cookies, passwords and connections with the application, and one of them is slow to
 * load. A redirect is not followed and is a failure.
 */
record HttpCheck(URI uri) implements HealthCheck {
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] (\\d{3})(?: .*)?");

  /** Of the answer's first line. */
  private static final int MAX_LINE_BYTES = 1024;

  /** Of what comes after it, read so that the other side can end in peace. */
  private static final int MAX_BODY_BYTES = 64 * 1024;

  /** Without the query, which may hold a key or a token: names are logged and shown to anybody. */
  @Override
  public String name() {
    String port = uri.getPort() > 0 ? ":" + uri.getPort() : "";
    String path = uri.getRawPath() == null ? "" : uri.getRawPath();
    return "http " + uri.getScheme() + "://" + uri.getHost() + port + path;
  }

  /** Like {@link #name}, since a record would show its whole address. */
  @Override
  public String toString() {
    return name();
  }

  @Override
  public @Nullable String failure(Duration timeout) throws IOException, GeneralSecurityException {
    long endNanos = System.nanoTime() + timeout.toNanos();
    try (Socket socket = open(timeout)) {
      socket.setSoTimeout(TcpCheck.millis(timeout));
      socket.getOutputStream().write(request().getBytes(ISO_8859_1));
      InputStream in = socket.getInputStream();
      String line = firstLine(socket, in, endNanos);
      Matcher status = STATUS.matcher(line);
      if (!status.matches()) {
        return "the answer is not HTTP";
      }
      readOn(socket, in, endNanos);
      return status.group(1).startsWith("2") ? null : "status " + status.group(1);
    } catch (SSLException e) {
      return describeTlsFailure(e);
    }
  }

  /** Says whose word counts, where it is a matter of trust. */
  private static String describeTlsFailure(SSLException failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof CertificateException) {
        return "the certificate is not trusted: "
            + each.getMessage()
            + "; the JVM's trust store decides (javax.net.ssl.trustStore)";
      }
    }
    return "the connection by TLS fails: " + failure.getMessage();
  }

  private boolean isSecure() {
    return uri.getScheme().toLowerCase(Locale.ROOT).equals("https");
  }

  private int port() {
    return uri.getPort() > 0 ? uri.getPort() : isSecure() ? 443 : 80;
  }

  /** The host as sockets want it: an IPv6 address without its brackets. */
  private String host() {
    return uri.getHost().replaceAll("[\\[\\]]", "");
  }

  private Socket open(Duration timeout) throws IOException, GeneralSecurityException {
    Socket plain = TcpCheck.connect(host(), port(), timeout);
    if (!isSecure()) {
      return plain;
    }
    try {
      plain.setSoTimeout(TcpCheck.millis(timeout));
      SSLContext context = SSLContext.getInstance("TLS"); // Not the JVM's default: that is shared.
      context.init(null, null, null);
      SSLSocket secure =
          (SSLSocket) context.getSocketFactory().createSocket(plain, host(), port(), true);
      SSLParameters parameters = secure.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      secure.setSSLParameters(parameters);
      secure.startHandshake();
      return secure;
    } catch (IOException | GeneralSecurityException e) {
      plain.close();
      throw e;
    }
  }

  private String request() {
    String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    String host = uri.getPort() > 0 ? uri.getHost() + ":" + uri.getPort() : uri.getHost();
    return "GET "
        + path
        + query
        + " HTTP/1.1\r\nHost: "
        + host
        + "\r\nUser-Agent: portcullis\r\nAccept: */*\r\nConnection: close\r\n\r\n";
  }

  private static String firstLine(Socket socket, InputStream in, long endNanos) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    while (line.size() < MAX_LINE_BYTES) {
      int next = read(socket, in, endNanos);
      if (next < 0 || next == '\n') {
        break;
      }
      line.write(next);
    }
    return line.toString(ISO_8859_1).strip();
  }

  /** One byte, and no wait beyond the end: each read alone could take the whole time again. */
  private static int read(Socket socket, InputStream in, long endNanos) throws IOException {
    Duration left = Duration.ofNanos(endNanos - System.nanoTime());
    if (left.isNegative() || left.isZero()) {
      throw new SocketTimeoutException("no whole answer in time");
    }
    socket.setSoTimeout(TcpCheck.millis(left));
    return in.read();
  }

  /** The status is known; whatever goes wrong from here on changes nothing. */
  private static void readOn(Socket socket, InputStream in, long endNanos) {
    byte[] rest = new byte[4096];
    try {
      for (int read = 0, more; read < MAX_BODY_BYTES; read += more) {
        socket.setSoTimeout(
            TcpCheck.millis(Duration.ofNanos(Math.max(1, endNanos - System.nanoTime()))));
        more = in.read(rest);
        if (more < 0 || endNanos - System.nanoTime() <= 0) {
          return;
        }
      }
    } catch (IOException e) {
      return; // The other side has ended it in its own way.
    }
  }
}
