package io.portcullis.election.backend;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Creates TLS contexts from certificates and keys in PEM files. */
public final class PemSslContextFactory {
  private static final long MAX_FILE_BYTES = 1024 * 1024;
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");
  private static final char[] NO_PASSWORD = {};

  private record Block(String label, String text) {}

  private PemSslContextFactory() {}

  /**
   * Creates a context for mutual TLS or, without a CA, for a server whose clients present no
   * certificate.
   *
   * @param certificate this node's certificate, followed by the intermediate certificates up to the
   *     CA, if any
   * @param key its private key: PKCS#8, RSA or EC, not encrypted
   * @param ca the only certificate authorities trusted for peers; null if peers present none
   * @throws IOException if a file is invalid; the message names the file and the remedy
   */
  public static SSLContext context(Path certificate, Path key, @Nullable Path ca)
      throws IOException {
    return context(
        keyManagers(certificate, key), trusting(ca == null ? List.of() : certificates(ca)));
  }

  /**
   * Creates a context for TLS clients.
   *
   * @param certificate the client certificate, null for none; requires {@code key}
   * @param ca the only certificate authorities trusted for the server; null for those that the JVM
   *     trusts
   * @throws IOException if a file is invalid; the message names the file and the remedy
   */
  public static SSLContext clientContext(
      @Nullable Path certificate, @Nullable Path key, @Nullable Path ca) throws IOException {
    return context(
        certificate == null || key == null ? null : keyManagers(certificate, key),
        ca == null ? null : trusting(certificates(ca)));
  }

  /**
   * Creates the trust managers of clients of libraries that create their TLS contexts themselves.
   *
   * @param ca the only certificate authorities trusted for the server; null for those that the JVM
   *     trusts
   * @throws IOException if the file is invalid; the message names the file and the remedy
   */
  public static TrustManagerFactory trustManagerFactory(@Nullable Path ca) throws IOException {
    return factory(ca == null ? null : certificates(ca));
  }

  private static SSLContext context(KeyManager @Nullable [] own, TrustManager @Nullable [] trusted)
      throws IOException {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(own, trusted, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("TLS can't be set up", e);
    }
  }

  private static KeyManager[] keyManagers(Path certificate, Path key) throws IOException {
    List<Certificate> chain = certificates(certificate);
    PrivateKey secret = key(key, certificate, chain.get(0).getPublicKey());
    try {
      KeyStore own = KeyStore.getInstance("PKCS12");
      own.load(null, null);
      own.setKeyEntry("node", secret, NO_PASSWORD, chain.toArray(Certificate[]::new));
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(own, NO_PASSWORD);
      return keys.getKeyManagers();
    } catch (GeneralSecurityException e) {
      throw new IOException("can't use " + certificate + " and " + key, e);
    }
  }

  private static TrustManager[] trusting(List<Certificate> authorities) throws IOException {
    return factory(authorities).getTrustManagers();
  }

  private static TrustManagerFactory factory(@Nullable List<Certificate> authorities)
      throws IOException {
    try {
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(authorities == null ? null : trustStore(authorities));
      return factory;
    } catch (GeneralSecurityException e) {
      throw new IOException("can't use the CA certificates", e);
    }
  }

  private static KeyStore trustStore(List<Certificate> authorities)
      throws IOException, GeneralSecurityException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    for (int i = 0; i < authorities.size(); i++) {
      trusted.setCertificateEntry("ca-" + i, authorities.get(i));
    }
    return trusted;
  }

  private static List<Certificate> certificates(Path file) throws IOException {
    List<Certificate> certificates = new ArrayList<>();
    for (Block block : blocks(file)) {
      if (!block.label().equals("CERTIFICATE")) {
        continue; // Some tools write the key into the same file.
      }
      try {
        certificates.add(
            CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(decoded(file, block))));
      } catch (GeneralSecurityException e) {
        throw new IOException(file + " holds a broken certificate: " + e.getMessage(), e);
      }
    }
    if (certificates.isEmpty()) {
      throw new IOException(
          file + " holds no certificate: it must contain -----BEGIN CERTIFICATE-----");
    }
    return certificates;
  }

  private static PrivateKey key(Path file, Path certificate, PublicKey counterpart)
      throws IOException {
    for (Block block : blocks(file)) {
      switch (block.label()) {
        case "PRIVATE KEY" -> {
          return matchingKey(file, decoded(file, block), certificate, counterpart);
        }
        case "RSA PRIVATE KEY", "EC PRIVATE KEY" ->
            throw new IOException(
                file
                    + " holds a key that is not PKCS#8; convert it with: openssl pkcs8 -topk8"
                    + " -nocrypt -in "
                    + file
                    + " -out key.pem");
        case "ENCRYPTED PRIVATE KEY" ->
            throw new IOException(
                file
                    + " holds an encrypted key, which is not supported; decrypt"
                    + " it with: openssl pkcs8 -topk8 -nocrypt -in "
                    + file
                    + " -out key.pem, and let only the service read it");
        default -> {} // A certificate, or EC parameters.
      }
    }
    throw new IOException(
        file + " holds no private key: it must contain -----BEGIN PRIVATE KEY-----");
  }

  /**
   * Checks that key and certificate match. Otherwise a wrong key would show only as handshakes that
   * fail without a reason.
   */
  private static PrivateKey matchingKey(
      Path file, byte[] encoded, Path certificate, PublicKey counterpart) throws IOException {
    String algorithm = counterpart.getAlgorithm();
    String signing =
        switch (algorithm) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default ->
              throw new IOException(
                  certificate + " has a key of type " + algorithm + ", not RSA or EC");
        };
    try {
      PrivateKey key =
          KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
      byte[] sample = algorithm.getBytes(StandardCharsets.UTF_8);
      Signature signature = Signature.getInstance(signing);
      signature.initSign(key);
      signature.update(sample);
      byte[] signed = signature.sign();
      signature.initVerify(counterpart);
      signature.update(sample);
      if (signature.verify(signed)) {
        return key;
      }
      throw new IOException(file + " is not the key of the first certificate in " + certificate);
    } catch (GeneralSecurityException e) {
      throw new IOException(
          file + " is not the key of the first certificate in " + certificate + ", or is broken",
          e);
    }
  }

  private static byte[] decoded(Path file, Block block) throws IOException {
    try {
      return Base64.getMimeDecoder().decode(block.text());
    } catch (IllegalArgumentException e) {
      throw new IOException(file + " holds a broken " + block.label() + ": " + e.getMessage(), e);
    }
  }

  private static List<Block> blocks(Path file) throws IOException {
    String text;
    try {
      if (Files.size(file) > MAX_FILE_BYTES) {
        throw new IOException("it is longer than " + MAX_FILE_BYTES + " bytes");
      }
      text = Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new IOException("can't read " + file + ": " + e, e);
    }
    List<Block> blocks = new ArrayList<>();
    Matcher matcher = BLOCK.matcher(text);
    while (matcher.find()) {
      blocks.add(new Block(matcher.group(1), matcher.group(2)));
    }
    return blocks;
  }
}
