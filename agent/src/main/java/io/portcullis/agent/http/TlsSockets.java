package io.portcullis.agent.http;

import io.portcullis.agent.config.HttpTlsConfig;
import io.portcullis.election.backend.FileFingerprint;
import java.io.IOException;
import java.net.Socket;
import java.util.Objects;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS on each connection, by the files as they are when it begins. Files that can't be right leave
 * the last good ones in force, and are complained of once.
 */
final class TlsSockets implements HttpConnection.Wrapping {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  private final HttpTlsConfig files;
  private FileFingerprint seen;
  private SSLContext context;

  TlsSockets(HttpTlsConfig files) throws IOException {
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
