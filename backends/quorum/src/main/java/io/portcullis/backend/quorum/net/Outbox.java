package io.portcullis.backend.quorum.net;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The frames of a link that are sealed and not yet sent, up to a bound. */
final class Outbox {
  private final Traffic traffic;
  private ByteBuffer bytes = ByteBuffer.allocate(Bounds.HANDSHAKE_QUEUE);

  Outbox(Traffic traffic) {
    this.traffic = traffic;
  }

  /** The peer is known now, so it may make us hold more. */
  void widen() {
    bytes = ByteBuffer.allocate(Bounds.QUEUE).put(bytes.flip());
  }

  /** Whether a frame of any length fits. Ask before sealing: a sealed frame has its number. */
  boolean hasRoom() {
    return bytes.remaining() >= Bounds.LENGTH_FIELD + Bounds.FRAME;
  }

  boolean isEmpty() {
    return bytes.position() == 0;
  }

  void put(byte[] frame, byte[] seal) {
    bytes.putShort((short) (frame.length + seal.length)).put(frame).put(seal);
    traffic.sentFrame();
  }

  void clear() {
    bytes.clear();
  }

  void flush(Wire wire) throws IOException {
    bytes.flip();
    try {
      int before = bytes.remaining();
      wire.write(bytes);
      traffic.sentBytes(before - bytes.remaining());
    } finally {
      bytes.compact();
    }
  }
}
