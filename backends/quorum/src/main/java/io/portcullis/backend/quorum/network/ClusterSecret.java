package io.portcullis.backend.quorum.network;

import io.portcullis.backend.quorum.network.Handshake.RejectedException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The shared secret that seals frames: a seal is an HMAC over the frame and its context. With
 * {@link #NONE} members share no secret and seals are empty.
 */
final class ClusterSecret {
  static final ClusterSecret NONE = new ClusterSecret(null);

  private static final byte[] NO_SEAL = {};

  private final @Nullable Mac mac;

  private ClusterSecret(@Nullable Mac mac) {
    this.mac = mac;
  }

  static ClusterSecret of(String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(text.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      return new ClusterSecret(mac);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has HmacSHA256", e);
    }
  }

  int sealLength() {
    return mac == null ? 0 : NetworkLimits.MAC_BYTES;
  }

  /**
   * Returns the seal of a frame.
   *
   * @param context binds the seal to a connection, a direction and a frame number; contexts with
   *     the same first byte have the same length
   */
  byte[] seal(byte[] context, byte[] frame) {
    if (mac == null) {
      return NO_SEAL;
    }
    mac.update(context);
    return mac.doFinal(frame);
  }

  boolean matches(byte[] context, Frame frame) {
    return MessageDigest.isEqual(seal(context, frame.covered()), frame.seal());
  }

  /** The secrets of this node: the first seals what it sends as the dialler, each is accepted. */
  static final class Keyring {
    private final List<ClusterSecret> secrets;

    Keyring(List<String> secrets) {
      if (secrets.contains("")) {
        throw new IllegalArgumentException("a secret is empty");
      }
      this.secrets =
          secrets.isEmpty()
              ? List.of(ClusterSecret.NONE)
              : secrets.stream().map(ClusterSecret::of).toList();
    }

    ClusterSecret first() {
      return secrets.get(0);
    }

    boolean isSealing() {
      return sealLength() > 0;
    }

    int sealLength() {
      return first().sealLength();
    }

    /** Returns the secret with which this frame was sealed. */
    ClusterSecret secretFor(byte[] context, Frame frame) throws RejectedException {
      for (ClusterSecret secret : secrets) {
        if (secret.matches(context, frame)) {
          return secret;
        }
      }
      throw new RejectedException(RejectReason.SEAL, "it matches none of our secrets");
    }
  }
}
