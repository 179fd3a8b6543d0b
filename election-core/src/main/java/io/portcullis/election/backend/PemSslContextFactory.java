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

/** Certificates and keys as PEM files, the form in which most tools write them. */
public final class PemSslContextFactory {
  private static final long MAX_FILE_BYTES = 1024 * 1024;
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");
  private static final char[] NO_PASSWORD = {};

  private record Block(String label, String text) {}

  private PemSslContextFactory() {}

  /**
   * The context for TLS in which each side shows a certificate, or, without a CA, only the server.
   *
   * @param certificate this node's certificate, followed by those between it and the CA, if any
   * @param key its private key: PKCS#8, RSA or EC, not encrypted
   * @param ca the certificates of those who sign for the other side, and for nobody else; null if
   *     the other side shows none
   * @throws IOException if one of them is not what it should be; names the file and the remedy
   */
  public static SSLContext context(Path certificate, Path key, @Nullable Path ca)
      throws IOException {
    return context(
        keyManagers(certificate, key), ca == null ? trustManagers(List.of()) : trustManagers(ca));
  }

  /**
   * The context for TLS of one who calls.
   *
   * @param certificate what is shown to who asks for one, null for nothing; its key must be with it
   * @param ca who signs for the other side, and nobody else; null for those whom the JVM trusts
   * @throws IOException if one of them is not what it should be; names the file and the remedy
   */
  public static SSLContext clientContext(
      @Nullable Path certificate, @Nullable Path key, @Nullable Path ca) throws IOException {
    return context(
        certificate == null || key == null ? null : keyManagers(certificate, key),
        ca == null ? null : trustManagers(ca));
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

  private static TrustManager[] trustManagers(Path ca) throws IOException {
    return trustManagers(certificates(ca));
  }

  private static TrustManager[] trustManagers(List<Certificate> authorities) throws IOException {
    try {
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      for (int i = 0; i < authorities.size(); i++) {
        trusted.setCertificateEntry("ca-" + i, authorities.get(i));
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      return trust.getTrustManagers();
    } catch (GeneralSecurityException e) {
      throw new IOException("can't trust " + authorities.size() + " certificates", e);
    }
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
          file + " holds no certificate: it must have a part -----BEGIN CERTIFICATE-----");
    }
    return certificates;
  }

  private static PrivateKey key(Path file, Path certificate, PublicKey counterpart)
      throws IOException {
    for (Block block : blocks(file)) {
      switch (block.label()) {
        case "PRIVATE KEY" -> {
          return checked(file, decoded(file, block), certificate, counterpart);
        }
        case "RSA PRIVATE KEY", "EC PRIVATE KEY" ->
            throw new IOException(
                file
                    + " holds a key in an older form; convert it with: openssl pkcs8 -topk8 -nocrypt"
                    + " -in "
                    + file
                    + " -out key.pem");
        case "ENCRYPTED PRIVATE KEY" ->
            throw new IOException(
                file
                    + " holds an encrypted key, and nobody is there to type its password; decrypt"
                    + " it with: openssl pkcs8 -topk8 -nocrypt -in "
                    + file
                    + " -out key.pem, and let only the service read it");
        default -> {} // A certificate, or the parameters of a curve.
      }
    }
    throw new IOException(
        file + " holds no private key: it must have a part -----BEGIN PRIVATE KEY-----");
  }

  /** A key of another certificate would only show by handshakes that fail without a reason. */
  private static PrivateKey checked(
      Path file, byte[] encoded, Path certificate, PublicKey counterpart) throws IOException {
    String algorithm = counterpart.getAlgorithm();
    String signing =
        switch (algorithm) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default ->
              throw new IOException(
                  certificate + " is for a key of " + algorithm + ", not RSA or EC");
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
