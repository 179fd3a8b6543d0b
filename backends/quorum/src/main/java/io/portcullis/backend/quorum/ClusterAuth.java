package io.portcullis.backend.quorum;

import io.portcullis.backend.quorum.network.NetworkConfig.PeerCredentials;
import io.portcullis.election.backend.FileFingerprint;
import io.portcullis.election.backend.PemSslContextFactory;
import io.portcullis.election.backend.Secret;
import io.portcullis.election.backend.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The configured secrets and TLS files by which members authenticate each other. Its {@code
 * toString} contains no secret.
 *
 * @param secrets the first authenticates what this node sends, each one is accepted
 * @param tls the files for mutual TLS, null for none
 */
record ClusterAuth(List<Secret> secrets, @Nullable QuorumTlsConfig tls) {
  static final int MIN_SECRET_LENGTH = 16;

  ClusterAuth {
    secrets = List.copyOf(secrets);
  }

  static ClusterAuth read(Settings quorum) {
    Optional<Secret> secret = secret(quorum, "secret");
    Optional<Secret> other = secret(quorum, "other-secret");
    if (other.isPresent() && secret.isEmpty()) {
      quorum.refuse(
          "other-secret",
          "is a second secret, but there is no first one; set secret-file, or remove this key.");
    }
    if (other.isPresent() && other.map(Secret::current).equals(secret.map(Secret::current))) {
      quorum.refuse(
          "other-secret",
          "is the same as secret; during a rotation one is the new secret and the other the old"
              + " one, otherwise remove this key.");
    }
    return new ClusterAuth(
        Stream.of(secret, other).flatMap(Optional::stream).toList(),
        QuorumTlsConfig.read(quorum.section("tls")));
  }

  private static Optional<Secret> secret(Settings quorum, String key) {
    Optional<Secret> secret = quorum.secret(key);
    if (secret.isPresent() && secret.get().current().length() < MIN_SECRET_LENGTH) {
      quorum.refuse(
          key,
          "has fewer than "
              + MIN_SECRET_LENGTH
              + " characters and could be guessed; make one with: openssl rand -base64 32");
    }
    return secret.map(each -> new MinLengthSecret(key, each));
  }

  /** Returns the current credentials. Any of them may have been replaced since the last call. */
  PeerCredentials credentials() {
    return new PeerCredentials(
        secrets.stream().map(Secret::current).toList(), tls == null ? null : tls.context());
  }

  boolean isNone() {
    return secrets.isEmpty() && tls == null;
  }

  @Override
  public String toString() {
    if (isNone()) {
      return "no secret";
    }
    String secret =
        switch (secrets.size()) {
          case 0 -> "";
          case 1 -> "a shared secret";
          default -> "two shared secrets";
        };
    String mutualTls = tls == null ? "" : "mutual TLS";
    return secret + (secret.isEmpty() || mutualTls.isEmpty() ? "" : " and ") + mutualTls;
  }

  /**
   * A secret with a minimum length. If its source returns one that is too short, and so could be
   * guessed, the last valid secret stays in use.
   */
  static final class MinLengthSecret implements Secret {
    private static final Logger LOG = LoggerFactory.getLogger("portcullis");

    private final String key;
    private final Secret source;
    private String lastValid;
    private boolean warned;

    MinLengthSecret(String key, Secret source) {
      this.key = key;
      this.source = source;
      this.lastValid = source.current();
    }

    @Override
    public synchronized String current() {
      String now = source.current();
      boolean valid = now.length() >= ClusterAuth.MIN_SECRET_LENGTH;
      if (valid) {
        lastValid = now;
      } else if (!warned) {
        LOG.warn(
            "portcullis keeps using the previous quorum.{}: the new one has fewer than {}"
                + " characters",
            key,
            ClusterAuth.MIN_SECRET_LENGTH);
      }
      warned = !valid;
      return lastValid;
    }
  }

  /**
   * The PEM files for mutual TLS: this node's certificate with its chain, its private key, and the
   * CA that signed the certificates of all members. Changed files are used for new connections. If
   * the files do not match each other, for example because only some have been replaced yet, the
   * previous ones stay in use.
   */
  static final class QuorumTlsConfig {
    private static final Logger LOG = LoggerFactory.getLogger("portcullis");
    private static final List<String> KEYS = List.of("cert", "key", "ca");

    private final List<Path> paths;
    private SSLContext context;
    private FileFingerprint fingerprint;

    private QuorumTlsConfig(List<Path> paths) throws IOException {
      this.paths = paths;
      this.fingerprint = FileFingerprint.of(paths);
      this.context = load(paths);
    }

    /** Returns the context of the current files; the same instance until a file changes. */
    synchronized SSLContext context() {
      FileFingerprint now = FileFingerprint.of(paths);
      if (!now.equals(fingerprint)) {
        fingerprint = now;
        try {
          context = load(paths);
          LOG.info("portcullis loaded new certificates from {}", paths);
        } catch (IOException e) {
          LOG.warn("portcullis keeps using the previous certificates: {}", e.getMessage());
        }
      }
      return context;
    }

    private static SSLContext load(List<Path> paths) throws IOException {
      return PemSslContextFactory.context(paths.get(0), paths.get(1), paths.get(2));
    }

    /** Reads the settings; null if no file is configured or a problem was reported. */
    static @Nullable QuorumTlsConfig read(Settings tls) {
      List<Optional<String>> names = KEYS.stream().map(tls::optionalText).toList();
      if (names.stream().allMatch(Optional::isEmpty)) {
        return null;
      }
      int before = tls.problems();
      for (int i = 0; i < KEYS.size(); i++) {
        if (names.get(i).isEmpty()) {
          tls.refuse(
              KEYS.get(i), "is missing; TLS needs all of cert, key and ca, or none of them.");
        }
      }
      List<Path> paths =
          Stream.of(0, 1, 2).map(i -> path(tls, KEYS.get(i), names.get(i).orElse(""))).toList();
      return tls.problems() > before ? null : context(tls, paths);
    }

    private static @Nullable QuorumTlsConfig context(Settings tls, List<Path> paths) {
      try {
        return new QuorumTlsConfig(paths);
      } catch (IOException e) {
        tls.refuse("", String.valueOf(e.getMessage()));
        return null;
      }
    }

    private static Path path(Settings tls, String key, String name) {
      try {
        Path path = Path.of(name);
        if (!name.isEmpty() && !(Files.isRegularFile(path) && Files.isReadable(path))) {
          tls.refuse(key, "names a file that can't be read: " + path + "; name a PEM file.");
        }
        return path;
      } catch (InvalidPathException e) {
        tls.refuse(key, "is not a valid file path; name a PEM file.");
        return Path.of("");
      }
    }
  }
}
