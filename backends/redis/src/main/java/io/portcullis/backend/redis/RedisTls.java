package io.portcullis.backend.redis;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Reads the certificates that a connection with TLS trusts. */
final class RedisTls {
  private RedisTls() {}

  /**
   * Reads the file at each call, so it may be replaced while the service runs.
   *
   * @param caFile PEM certificates; null for those of the JVM
   */
  static TrustManagerFactory trustManagers(@Nullable Path caFile) throws IOException {
    try {
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(caFile == null ? null : trustStore(caFile));
      return factory;
    } catch (GeneralSecurityException e) {
      throw new IOException("TLS can't be set up: " + e.getMessage(), e);
    }
  }

  private static KeyStore trustStore(Path file) throws IOException, GeneralSecurityException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    int number = 0;
    for (Certificate certificate : certificates(file)) {
      trusted.setCertificateEntry("ca-" + number++, certificate);
    }
    return trusted;
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
}
