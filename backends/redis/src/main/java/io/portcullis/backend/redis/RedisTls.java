package io.portcullis.backend.redis;

import io.portcullis.backend.redis.RedisAddress.Host;
import io.portcullis.backend.redis.RedisStorePlan.RedisAccess;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** Whom to trust on a connection with TLS. */
final class RedisTls {
  private final SSLSocketFactory sockets;
  private final boolean verifyHost;

  private RedisTls(SSLSocketFactory sockets, boolean verifyHost) {
    this.sockets = sockets;
    this.verifyHost = verifyHost;
  }

  /** As the settings say; certificates are read anew each time, so they may be replaced. */
  static RedisTls of(RedisAccess access) throws IOException {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, access.caFile() == null ? null : trusting(access.caFile()), null);
      return new RedisTls(context.getSocketFactory(), access.verifyHost());
    } catch (GeneralSecurityException e) {
      throw new IOException("TLS can't be set up: " + e.getMessage(), e);
    }
  }

  private static TrustManager[] trusting(Path file) throws IOException, GeneralSecurityException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    int number = 0;
    for (Certificate certificate : certificates(file)) {
      trusted.setCertificateEntry("ca-" + number++, certificate);
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    return trust.getTrustManagers();
  }

  private static Collection<? extends Certificate> certificates(Path file) throws IOException {
    Collection<? extends Certificate> found;
    try {
      found =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(file)));
    } catch (CertificateException e) {
      throw new IOException(file + " holds a broken certificate: " + e.getMessage(), e);
    }
    if (found.isEmpty()) {
      throw new IOException(
          file + " holds no certificate: it must have a part -----BEGIN CERTIFICATE-----");
    }
    return found;
  }

  /** TLS over a connection, agreed upon and verified. */
  Socket wrap(Socket plain, Host host) throws IOException {
    SSLSocket secured = (SSLSocket) sockets.createSocket(plain, host.name(), host.port(), true);
    if (verifyHost) {
      SSLParameters parameters = secured.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      secured.setSSLParameters(parameters);
    }
    secured.startHandshake();
    return secured;
  }
}
