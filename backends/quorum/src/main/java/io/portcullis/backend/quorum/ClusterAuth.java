package io.portcullis.backend.quorum;

import io.portcullis.backend.quorum.network.PeerCredentials;
import io.portcullis.election.backend.Secret;
import io.portcullis.election.backend.Settings;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * By what members know each other, as it is configured. Its text holds no secret.
 *
 * @param secrets the first seals what is sent, each is accepted
 * @param tls the files for mutual TLS, null for none
 */
record ClusterAuth(List<Secret> secrets, @Nullable QuorumTlsConfig tls) {
  static final int MIN_SECRET = 16;

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
    if (secret.isPresent() && secret.get().current().length() < MIN_SECRET) {
      quorum.refuse(
          key,
          "has fewer than "
              + MIN_SECRET
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
}
