package io.portcullis.backend.quorum.network;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Bounded queue of the sealed frames of a connection that are not yet sent. */
final class SendQueue {
  private final NetworkStats stats;
  private ByteBuffer bytes = ByteBuffer.allocate(NetworkLimits.MAX_HANDSHAKE_QUEUE_BYTES);

  SendQueue(NetworkStats stats) {
    this.stats = stats;
  }

  /** Raises the limit, once the peer is authenticated. */
  void widen() {
    bytes = ByteBuffer.allocate(NetworkLimits.MAX_QUEUE_BYTES).put(bytes.flip());
  }

  /**
   * Whether a frame of any length fits. Check this before sealing: a sealed frame has consumed its
   * number and must be sent.
   */
  boolean hasRoom() {
    return bytes.remaining() >= NetworkLimits.LENGTH_FIELD_BYTES + NetworkLimits.MAX_FRAME_BYTES;
  }

  boolean isEmpty() {
    return bytes.position() == 0;
  }

  void put(byte[] frame, byte[] seal) {
    bytes.putShort((short) (frame.length + seal.length)).put(frame).put(seal);
    stats.sentFrame();
  }

  void clear() {
    bytes.clear();
  }

  void flush(ByteTransport transport) throws IOException {
    bytes.flip();
    try {
      int before = bytes.remaining();
      transport.write(bytes);
      stats.sentBytes(before - bytes.remaining());
    } finally {
      bytes.compact();
    }
  }
}
