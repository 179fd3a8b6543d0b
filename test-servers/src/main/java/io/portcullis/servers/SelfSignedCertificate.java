package io.portcullis.servers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A self-signed certificate with its key, both as PEM files.
 *
 * @param keys the certificate and the key, as the JDK reads them
 * @param certificate the certificate that a client has to trust
 * @param key the server's private key, readable only by its owner
 */
public record SelfSignedCertificate(KeyStore keys, Path certificate, Path key) {
  /** Password of the key store. */
  public static final String PASSWORD = "changeit";

  private static final String ALIAS = "server";

  /**
   * Creates a certificate.
   *
   * @param folder where to write the files
   * @param names subject alternative names as keytool expects them: {@code
   *     ip:127.0.0.1,dns:localhost}
   */
  public static SelfSignedCertificate create(Path folder, String names)
      throws IOException, GeneralSecurityException, InterruptedException {
    Path store = folder.resolve("keys.p12");
    Path certificate = folder.resolve("ca.pem");
    keytool(
        store,
        "-genkeypair",
        "-keyalg",
        "EC",
        "-validity",
        "2",
        "-dname",
        "CN=test",
        "-ext",
        "san=" + names);
    keytool(store, "-exportcert", "-rfc", "-file", certificate.toString());
    KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
    byte[] secret = keys.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded();
    String pem =
        "-----BEGIN PRIVATE KEY-----\n"
            + Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(secret)
            + "\n-----END PRIVATE KEY-----\n";
    Path key = Files.writeString(folder.resolve("key.pem"), pem);
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    return new SelfSignedCertificate(keys, certificate, key);
  }

  private static void keytool(Path store, String... action)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(action));
    command.addAll(List.of("-alias", ALIAS, "-keystore", store.toString()));
    command.addAll(List.of("-storepass", PASSWORD, "-storetype", "PKCS12"));
    Path log = Files.createTempFile(store.getParent(), "keytool", ".log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    if (!process.waitFor(120, TimeUnit.SECONDS) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IllegalStateException(Files.readString(log));
    }
  }
}
