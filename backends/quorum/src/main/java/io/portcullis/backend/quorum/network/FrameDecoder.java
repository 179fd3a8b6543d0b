package io.portcullis.backend.quorum.network;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a link that are no whole frame yet. It never holds more than one frame, and what a
 * frame announces is checked before any of it is waited for.
 */
final class FrameDecoder {
  private final ByteBuffer bytes =
      ByteBuffer.allocate(NetworkLimits.LENGTH_FIELD + NetworkLimits.FRAME);

  /** Where to read to. After {@link #next()} gave null there is always space. */
  ByteBuffer space() {
    return bytes;
  }

  /** The next frame without its length, or null as long as it is not whole. */
  byte @Nullable [] next() throws RejectedException {
    if (bytes.position() < NetworkLimits.LENGTH_FIELD) {
      return null;
    }
    int length = Short.toUnsignedInt(bytes.getShort(0));
    if (length > NetworkLimits.FRAME) {
      throw new RejectedException(RejectReason.TOO_LONG, "a frame of " + length + " bytes");
    }
    if (length > 0 && bytes.position() == NetworkLimits.LENGTH_FIELD) {
      return null;
    }
    // The version comes before the shortest length: another version may have shorter frames.
    byte version = bytes.get(NetworkLimits.LENGTH_FIELD);
    if (length > 0 && version != ClusterIdentity.VERSION) {
      throw new RejectedException(
          RejectReason.VERSION,
          "it speaks version "
              + Byte.toUnsignedInt(version)
              + ", we speak "
              + ClusterIdentity.VERSION);
    }
    if (length < NetworkLimits.HEADER) {
      throw new RejectedException(RejectReason.MALFORMED, "a frame of " + length + " bytes");
    }
    int end = NetworkLimits.LENGTH_FIELD + length;
    if (bytes.position() < end) {
      return null;
    }
    byte[] raw = Arrays.copyOfRange(bytes.array(), NetworkLimits.LENGTH_FIELD, end);
    bytes.flip().position(end);
    bytes.compact();
    return raw;
  }

  void clear() {
    bytes.clear();
  }
}
