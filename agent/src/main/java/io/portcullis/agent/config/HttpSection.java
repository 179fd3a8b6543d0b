package io.portcullis.agent.config;

import io.portcullis.election.backend.PemSslContextFactory;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The agent's own HTTP server.
 *
 * @param enabled whether there is one
 * @param bind the address it listens on
 * @param port the port; 0 for a free one
 * @param readyWhen what {@code /readyz} tells
 * @param adminToken what whoever gives orders must show; without one nobody can
 * @param tls the files for TLS, if it is spoken
 */
public record HttpSection(
    boolean enabled,
    String bind,
    int port,
    ReadyWhen readyWhen,
    Optional<AdminToken> adminToken,
    Optional<HttpTlsConfig> tls) {
  /** What makes a node ready. */
  public enum ReadyWhen {
    /** It takes part in its elections. */
    PARTICIPATING,
    /** It leads. */
    LEADER
  }

  /**
   * The PEM files for TLS, which were right when they were last looked at.
   *
   * @param cert the certificate, followed by those between it and its CA
   * @param key its key
   * @param ca who signs for clients; null if clients need no certificate
   */
  public record HttpTlsConfig(Path cert, Path key, @Nullable Path ca) {

    /** The files, or nothing if none is named or they were refused. */
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
            "is missing; TLS needs cert and key, and ca if clients must show a certificate too");
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
        tls.refuse("", "one of these is no path of a file; name PEM files");
      } catch (IOException e) {
        tls.refuse("", String.valueOf(e.getMessage()));
      }
      return Optional.empty();
    }

    /**
     * What the files say now.
     *
     * @throws IOException if one of them is not what it should be; names the file and the remedy
     */
    public SSLContext context() throws IOException {
      return PemSslContextFactory.context(cert, key, ca);
    }
  }
}
