package io.portcullis.agent.health;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.portcullis.agent.health.EligibilityMonitor.HealthCheck;
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
 * Checks that a GET request returns a 2xx status. Redirects are not followed and count as failures.
 *
 * <p>Implemented on a plain socket: the JDK's HTTP clients share proxies, cookies, passwords and
 * connections with the application, and one of them is slow to load.
 */
record HttpCheck(URI uri) implements HealthCheck {
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] (\\d{3})(?: .*)?");

  /** Maximum length of the response's status line. */
  private static final int MAX_LINE_BYTES = 1024;

  /**
   * Maximum length of the headers and body that are read and discarded. They are read so that the
   * server can finish its response without a connection reset.
   */
  private static final int MAX_BODY_BYTES = 64 * 1024;

  /**
   * The URI without its query, which may contain a key or a token: names are logged and shown on
   * the unauthenticated status endpoints.
   */
  @Override
  public String name() {
    String port = uri.getPort() > 0 ? ":" + uri.getPort() : "";
    String path = uri.getRawPath() == null ? "" : uri.getRawPath();
    return "http " + uri.getScheme() + "://" + uri.getHost() + port + path;
  }

  /** Same as {@link #name}, since the default of a record would show the query. */
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
      String line = statusLine(socket, in, endNanos);
      Matcher status = STATUS.matcher(line);
      if (!status.matches()) {
        return "the response is not HTTP";
      }
      discardBody(socket, in, endNanos);
      return status.group(1).startsWith("2") ? null : "status " + status.group(1);
    } catch (SSLException e) {
      return describeTlsFailure(e);
    }
  }

  /** Names the trust store if the certificate is not trusted. */
  private static String describeTlsFailure(SSLException failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof CertificateException) {
        return "the certificate is not trusted: "
            + each.getMessage()
            + "; the JVM's trust store decides (javax.net.ssl.trustStore)";
      }
    }
    return "TLS failed: " + failure.getMessage();
  }

  private boolean isSecure() {
    return uri.getScheme().toLowerCase(Locale.ROOT).equals("https");
  }

  private int port() {
    return uri.getPort() > 0 ? uri.getPort() : isSecure() ? 443 : 80;
  }

  /** The host as sockets expect it: an IPv6 address without its brackets. */
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
      SSLContext context = SSLContext.getInstance("TLS"); // The JVM's default context is shared.
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

  private static String statusLine(Socket socket, InputStream in, long endNanos)
      throws IOException {
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

  /**
   * Reads one byte with the remaining time as timeout. With a constant timeout each read could take
   * the whole time again.
   */
  private static int read(Socket socket, InputStream in, long endNanos) throws IOException {
    Duration left = Duration.ofNanos(endNanos - System.nanoTime());
    if (left.isNegative() || left.isZero()) {
      throw new SocketTimeoutException("incomplete response within the timeout");
    }
    socket.setSoTimeout(TcpCheck.millis(left));
    return in.read();
  }

  /** Reads the rest of the response. Errors are ignored, since the status is already known. */
  private static void discardBody(Socket socket, InputStream in, long endNanos) {
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
      return; // The server closed the connection.
    }
  }
}
