package io.portcullis.backend.quorum.network;

import io.portcullis.backend.quorum.network.ClusterSecret.Keyring;
import io.portcullis.backend.quorum.network.Network.PeerProcess;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * The data that this node presents to other members in a handshake.
 *
 * @param clusterIdentity its cluster, member list and index in the list
 * @param peer its process
 * @param random source of nonces
 */
record LocalPeer(
    ClusterIdentity clusterIdentity, Keyring keyring, PeerProcess peer, SecureRandom random) {

  /**
   * Creates the data of this node.
   *
   * @throws IllegalArgumentException if the configuration can't be encoded in frames
   */
  static LocalPeer of(NetworkConfig config) {
    int size = config.members().size();
    if (size > NetworkLimits.MAX_MEMBERS) {
      throw new IllegalArgumentException(
          size + " members are more than " + NetworkLimits.MAX_MEMBERS);
    }
    if (config.self() < 0 || config.self() >= size) {
      throw new IllegalArgumentException(
          "index " + config.self() + " is not in a list of " + size + " members");
    }
    if (config.peer().identity().isEmpty()) {
      throw new IllegalArgumentException("the identity is empty");
    }
    checkName("identity", config.peer().identity());
    checkName("address", config.peer().address());
    if (config.responseTimeout().isNegative() || config.responseTimeout().isZero()) {
      throw new IllegalArgumentException(
          "the response timeout must be positive: " + config.responseTimeout());
    }
    return new LocalPeer(
        new ClusterIdentity(config.cluster(), config.members(), config.self()),
        new Keyring(config.credentials().get().secrets()),
        config.peer(),
        new SecureRandom());
  }

  /** Returns a copy with other secrets. */
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
