package io.portcullis.backend.quorum.network;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** What seals are made with, or {@link #NONE} where members share no secret and seals are empty. */
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
    return mac == null ? 0 : NetworkLimits.SEAL;
  }

  /**
   * The seal of a frame.
   *
   * @param context where and when the frame is valid; contexts of equal first byte are equally long
   */
  byte[] seal(byte[] context, byte[] frame) {
    if (mac == null) {
      return NO_SEAL;
    }
    mac.update(context);
    return mac.doFinal(frame);
  }

  boolean fits(byte[] context, Frame frame) {
    return MessageDigest.isEqual(seal(context, frame.covered()), frame.seal());
  }
}
