package io.portcullis.agent.config;

import io.portcullis.agent.config.hocon.HoconSettings;
import io.portcullis.agent.config.secret.AdminToken;
import io.portcullis.election.backend.PemSslContextFactory;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the agent's HTTP server.
 *
 * @param bind the address that the server listens on
 * @param port the port; 0 for any free port
 * @param readyWhen condition for {@code /readyz}
 * @param adminToken authorizes admin commands; without a token they are refused
 * @param tls the TLS files; empty for plain HTTP
 */
public record HttpSection(
    boolean enabled,
    String bind,
    int port,
    ReadyWhen readyWhen,
    Optional<AdminToken> adminToken,
    Optional<HttpTlsConfig> tls) {
  /** When a node is ready. */
  public enum ReadyWhen {
    /** When it participates in its elections. */
    PARTICIPATING,
    /** When it is the leader. */
    LEADER
  }

  /**
   * The PEM files for TLS, which were valid when they were read with the configuration.
   *
   * @param cert the certificate, followed by intermediate certificates
   * @param key the private key of the certificate
   * @param ca the CA certificates for client certificates; null if clients need none
   */
  public record HttpTlsConfig(Path cert, Path key, @Nullable Path ca) {

    /** Reads the section {@code tls}; empty if it names no files or they are invalid. */
    static Optional<HttpTlsConfig> read(HoconSettings tls, Path folder) {
      Optional<String> cert = tls.optionalText("cert");
      Optional<String> key = tls.optionalText("key");
      Optional<String> ca = tls.optionalText("ca");
      if (cert.isEmpty() && key.isEmpty() && ca.isEmpty()) {
        return Optional.empty();
      }
      if (cert.isEmpty() || key.isEmpty()) {
        tls.refuse(
            cert.isEmpty() ? "cert" : "key",
            "is missing; TLS requires cert and key, and ca if clients must send a certificate too");
        return Optional.empty();
      }
      try {
        HttpTlsConfig files =
            new HttpTlsConfig(
                folder.resolve(cert.get()),
                folder.resolve(key.get()),
                ca.map(folder::resolve).orElse(null));
        files.context();
        return Optional.of(files);
      } catch (InvalidPathException e) {
        tls.refuse("", "one of these is not a valid file path; name PEM files");
      } catch (IOException e) {
        tls.refuse("", String.valueOf(e.getMessage()));
      }
      return Optional.empty();
    }

    /**
     * Creates a TLS context from the current content of the files.
     *
     * @throws IOException if a file is invalid; the message names the file and the fix
     */
    public SSLContext context() throws IOException {
      return PemSslContextFactory.context(cert, key, ca);
    }
  }
}
