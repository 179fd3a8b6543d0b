package io.portcullis.servers.kubernetes;

import io.portcullis.servers.SelfSignedCertificate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Collections;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/**
 * TLS configuration of a server.
 *
 * @param own its certificate
 * @param clients the only accepted client certificate, if one is required
 */
record ServerTlsConfig(SelfSignedCertificate own, Optional<SelfSignedCertificate> clients) {

  /** Wraps a connection in TLS; the handshake starts with the first byte. */
  Socket over(Socket plain) throws IOException {
    SSLSocket secured =
        (SSLSocket)
            context()
                .getSocketFactory()
                .createSocket(
                    plain, plain.getInetAddress().getHostAddress(), plain.getPort(), true);
    secured.setUseClientMode(false);
    secured.setNeedClientAuth(clients.isPresent());
    return secured;
  }

  private SSLContext context() {
    try {
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(own.keys(), SelfSignedCertificate.PASSWORD.toCharArray());
      SSLContext tls = SSLContext.getInstance("TLS");
      tls.init(keys.getKeyManagers(), clients.isPresent() ? trusting(clients.get()) : null, null);
      return tls;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static TrustManager[] trusting(SelfSignedCertificate client)
      throws IOException, GeneralSecurityException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    for (String alias : Collections.list(client.keys().aliases())) {
      trusted.setCertificateEntry(alias, client.keys().getCertificate(alias));
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    return trust.getTrustManagers();
  }
}
