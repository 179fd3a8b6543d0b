package io.portcullis.backend.quorum.net;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a link that are no whole frame yet. It never holds more than one frame, and what a
 * frame announces is checked before any of it is waited for.
 */
final class Inbox {
  private final ByteBuffer bytes = ByteBuffer.allocate(Bounds.LENGTH_FIELD + Bounds.FRAME);

  /** Where to read to. After {@link #next()} gave null there is always space. */
  ByteBuffer space() {
    return bytes;
  }

  /** The next frame without its length, or null as long as it is not whole. */
  byte @Nullable [] next() throws Refused {
    if (bytes.position() < Bounds.LENGTH_FIELD) {
      return null;
    }
    int length = Short.toUnsignedInt(bytes.getShort(0));
    if (length > Bounds.FRAME) {
      throw new Refused(Refusal.TOO_LONG, "a frame of " + length + " bytes");
    }
    if (length > 0 && bytes.position() == Bounds.LENGTH_FIELD) {
      return null;
    }
    // The version comes before the shortest length: another version may have shorter frames.
    byte version = bytes.get(Bounds.LENGTH_FIELD);
    if (length > 0 && version != Roster.VERSION) {
      throw new Refused(
          Refusal.VERSION,
          "it speaks version " + Byte.toUnsignedInt(version) + ", we speak " + Roster.VERSION);
    }
    if (length < Bounds.HEADER) {
      throw new Refused(Refusal.MALFORMED, "a frame of " + length + " bytes");
    }
    int end = Bounds.LENGTH_FIELD + length;
    if (bytes.position() < end) {
      return null;
    }
    byte[] raw = Arrays.copyOfRange(bytes.array(), Bounds.LENGTH_FIELD, end);
    bytes.flip().position(end);
    bytes.compact();
    return raw;
  }

  void clear() {
    bytes.clear();
  }
}
