package io.portcullis.backend.quorum.network;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The frames of a link that are sealed and not yet sent, up to a bound. */
final class SendQueue {
  private final NetworkStats traffic;
  private ByteBuffer bytes = ByteBuffer.allocate(NetworkLimits.MAX_HANDSHAKE_QUEUE_BYTES);

  SendQueue(NetworkStats traffic) {
    this.traffic = traffic;
  }

  /** The peer is known now, so it may make us hold more. */
  void widen() {
    bytes = ByteBuffer.allocate(NetworkLimits.MAX_QUEUE_BYTES).put(bytes.flip());
  }

  /** Whether a frame of any length fits. Ask before sealing: a sealed frame has its number. */
  boolean hasRoom() {
    return bytes.remaining() >= NetworkLimits.LENGTH_FIELD_BYTES + NetworkLimits.MAX_FRAME_BYTES;
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

  void flush(ByteTransport wire) throws IOException {
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
