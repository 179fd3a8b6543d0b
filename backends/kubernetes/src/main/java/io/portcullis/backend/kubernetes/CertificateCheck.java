package io.portcullis.backend.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.CertUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Looks at certificates before they are used: fabric8 takes a file without any for an answer. */
final class CertificateCheck {
  private CertificateCheck() {}

  /** Throws with a sentence if there are none where some should be. */
  static void check(Config config) {
    if (config.getCaCertFile() != null || config.getCaCertData() != null) {
      certificates("certificate-authority", config.getCaCertData(), config.getCaCertFile());
    }
    if (config.getClientCertFile() != null || config.getClientCertData() != null) {
      Collection<? extends Certificate> own =
          certificates(
              "client-certificate", config.getClientCertData(), config.getClientCertFile());
      // Left alone, fabric8 knows a key of an elliptic curve only by the older form's first line.
      config.setClientKeyAlgo(own.iterator().next().getPublicKey().getAlgorithm());
    }
  }

  private static Collection<? extends Certificate> certificates(
      String key, @Nullable String data, @Nullable String file) {
    String from = key + (file == null || data != null ? "-data" : " " + file);
    try {
      Collection<? extends Certificate> found =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(CertUtils.getInputStreamFromDataOrFile(data, file));
      if (found.isEmpty()) {
        throw new IllegalStateException(from + " holds no certificate");
      }
      return found;
    } catch (IOException e) {
      throw new UncheckedIOException(from + " can't be read: " + e, e);
    } catch (CertificateException e) {
      throw new IllegalStateException(from + " holds a broken certificate", e);
    }
  }
}
