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
 * By what members know each other, as it is configured. Its text holds no secret.
 *
 * @param secrets the first seals what is sent, each is accepted
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
          "is a second secret, and there is no first; set secret-file, or leave it out.");
    }
    if (other.isPresent() && other.map(Secret::current).equals(secret.map(Secret::current))) {
      quorum.refuse(
          "other-secret",
          "is the same as secret; while a secret is replaced the one is the new and the other the"
              + " old, else leave it out.");
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

  /** As they are now: each may have been replaced since the last time. */
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
    String sealed =
        switch (secrets.size()) {
          case 0 -> "";
          case 1 -> "a shared secret";
          default -> "two shared secrets";
        };
    String carried = tls == null ? "" : "mutual TLS";
    return sealed + (sealed.isEmpty() || carried.isEmpty() ? "" : " and ") + carried;
  }

  /** A secret that is never replaced by one that could be guessed: the last good one holds then. */
  static final class MinLengthSecret implements Secret {
    private static final Logger LOG = LoggerFactory.getLogger("portcullis");

    private final String key;
    private final Secret source;
    private String last;
    private boolean warned;

    MinLengthSecret(String key, Secret source) {
      this.key = key;
      this.source = source;
      this.last = source.current();
    }

    @Override
    public synchronized String current() {
      String now = source.current();
      boolean good = now.length() >= ClusterAuth.MIN_SECRET_LENGTH;
      if (good) {
        last = now;
      } else if (!warned) {
        LOG.warn(
            "portcullis keeps the quorum's {} it has read before: the new one has fewer than {}"
                + " characters",
            key,
            ClusterAuth.MIN_SECRET_LENGTH);
      }
      warned = !good;
      return last;
    }
  }

  /**
   * What the PEM files for mutual TLS hold: this node's certificate with its chain, the key to it,
   * and who signed the certificates of all members. New files are taken up for new links; while
   * they do not fit each other, half-way through being replaced, the old ones hold.
   */
  static final class QuorumTlsConfig {
    private static final Logger LOG = LoggerFactory.getLogger("portcullis");
    private static final List<String> KEYS = List.of("cert", "key", "ca");

    private final List<Path> paths;
    private SSLContext context;
    private FileFingerprint stand;

    private QuorumTlsConfig(List<Path> paths) throws IOException {
      this.paths = paths;
      this.stand = FileFingerprint.of(paths);
      this.context = load(paths);
    }

    /** The context of the files as they are now; the same one as long as they do not change. */
    synchronized SSLContext context() {
      FileFingerprint now = FileFingerprint.of(paths);
      if (!now.equals(stand)) {
        stand = now;
        try {
          context = load(paths);
          LOG.info("portcullis took up new certificates from {}", paths);
        } catch (IOException e) {
          LOG.warn("portcullis keeps the certificates it has read before: {}", e.getMessage());
        }
      }
      return context;
    }

    private static SSLContext load(List<Path> paths) throws IOException {
      return PemSslContextFactory.context(paths.get(0), paths.get(1), paths.get(2));
    }

    /** The files, or null if none is named or they were refused. */
    static @Nullable QuorumTlsConfig read(Settings tls) {
      List<Optional<String>> named = KEYS.stream().map(tls::optionalText).toList();
      if (named.stream().allMatch(Optional::isEmpty)) {
        return null;
      }
      int before = tls.problems();
      for (int i = 0; i < KEYS.size(); i++) {
        if (named.get(i).isEmpty()) {
          tls.refuse(
              KEYS.get(i), "is missing; TLS needs all of cert, key and ca, or none of them.");
        }
      }
      List<Path> paths =
          Stream.of(0, 1, 2).map(i -> path(tls, KEYS.get(i), named.get(i).orElse(""))).toList();
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
        tls.refuse(key, "is no path of a file; name a PEM file.");
        return Path.of("");
      }
    }
  }
}
