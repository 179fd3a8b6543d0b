package io.portcullis.backend.quorum.network;

import io.portcullis.backend.quorum.network.ClusterSecret.Keyring;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * This node as it shows itself to the others.
 *
 * @param clusterIdentity its cluster, list and place
 * @param keyring its secrets
 * @param peer its process
 * @param random for nonces
 */
record LocalPeer(
    ClusterIdentity clusterIdentity, Keyring keyring, PeerProcess peer, SecureRandom random) {

  /** Refuses what could not be sent. */
  static LocalPeer of(NetworkConfig config) {
    int size = config.members().size();
    if (size > NetworkLimits.MAX_MEMBERS) {
      throw new IllegalArgumentException(
          size + " members are more than " + NetworkLimits.MAX_MEMBERS);
    }
    if (config.self() < 0 || config.self() >= size) {
      throw new IllegalArgumentException(
          "place " + config.self() + " is not in a list of " + size + " members");
    }
    if (config.peer().identity().isEmpty()) {
      throw new IllegalArgumentException("the identity is empty");
    }
    checkName("identity", config.peer().identity());
    checkName("address", config.peer().address());
    if (config.patience().isNegative() || config.patience().isZero()) {
      throw new IllegalArgumentException("patience is " + config.patience());
    }
    return new LocalPeer(
        new ClusterIdentity(config.cluster(), config.members(), config.self()),
        new Keyring(config.credentials().get().secrets()),
        config.peer(),
        new SecureRandom());
  }

  /** The same with other secrets. */
  LocalPeer with(Keyring replaced) {
    return new LocalPeer(clusterIdentity, replaced, peer, random);
  }

  byte[] nonce() {
    byte[] nonce = new byte[NetworkLimits.NONCE_BYTES];
    random.nextBytes(nonce);
    return nonce;
  }

  private static void checkName(String what, @Nullable String name) {
    if (name == null) {
      return;
    }
    int length = name.getBytes(StandardCharsets.UTF_8).length;
    if (length > NetworkLimits.MAX_NAME_BYTES) {
      throw new IllegalArgumentException(
          "the "
              + what
              + " has "
              + length
              + " bytes of UTF-8, more than "
              + NetworkLimits.MAX_NAME_BYTES
              + ": "
              + name);
    }
    if (name.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException("the " + what + " has control characters");
    }
  }
}
