package io.portcullis.agent.http;

import io.portcullis.agent.config.TlsFiles;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS on each connection, by the files as they are when it begins. Files that can't be right leave
 * the last good ones in force, and are complained of once.
 */
final class TlsWrapping implements Visit.Wrapping {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  private final TlsFiles files;
  private List<String> seen;
  private SSLContext context;

  TlsWrapping(TlsFiles files) throws IOException {
    this.files = files;
    this.seen = marks();
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
    List<String> now = marks();
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

  private List<String> marks() {
    List<String> marks = new ArrayList<>();
    marks.add(mark(files.cert()));
    marks.add(mark(files.key()));
    Path ca = files.ca();
    if (ca != null) {
      marks.add(mark(ca));
    }
    return marks;
  }

  private static String mark(Path file) {
    try {
      BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
      return now.lastModifiedTime() + " " + now.size() + " " + now.fileKey();
    } catch (IOException e) {
      return e.getClass().getName();
    }
  }
}
