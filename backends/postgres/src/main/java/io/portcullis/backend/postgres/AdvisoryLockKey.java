package io.portcullis.backend.postgres;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The number of the advisory lock that belongs to a text: the same in every version. */
final class AdvisoryLockKey {
  private AdvisoryLockKey() {}

  /** The first eight bytes of the text's SHA-256, most significant first. */
  static long of(String scope) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] hash = digest.digest(("portcullis:" + scope).getBytes(StandardCharsets.UTF_8));
      return ByteBuffer.wrap(hash).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }
}
