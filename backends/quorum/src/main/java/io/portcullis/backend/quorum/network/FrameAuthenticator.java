package io.portcullis.backend.quorum.network;

import io.portcullis.backend.quorum.network.Handshake.RejectedException;
import java.nio.ByteBuffer;

/**
 * Seals and checks the frames of one connection once both nonces are known. A seal is an HMAC over
 * both nonces, the direction, the frame number and the frame. Because each side chose one of the
 * nonces at random, a seal of another connection does not match. Because the direction is included,
 * a frame that is reflected to its sender does not match. Because the number is included, a
 * repeated or reordered frame does not match, and a missing frame is detected.
 */
final class FrameAuthenticator {
  /** First byte of each kind of context. */
  private static final byte HELLO = 1;

  private static final byte WELCOME = 2;
  private static final byte FROM_DIALLER = 3;
  private static final byte FROM_ACCEPTOR = 4;

  private final ClusterSecret secret;
  private final byte[] nonces;
  private final byte sending;
  private final byte receiving;
  private long sent;
  private long received;

  FrameAuthenticator(
      ClusterSecret secret, boolean dialled, byte[] acceptorNonce, byte[] diallerNonce) {
    this.secret = secret;
    nonces =
        ByteBuffer.allocate(2 * NetworkLimits.NONCE_BYTES)
            .put(acceptorNonce)
            .put(diallerNonce)
            .array();
    sending = dialled ? FROM_DIALLER : FROM_ACCEPTOR;
    receiving = dialled ? FROM_ACCEPTOR : FROM_DIALLER;
  }

  /** Returns the context of a hello, which binds it to one greeting. */
  static byte[] hello(byte[] acceptorNonce) {
    return ByteBuffer.allocate(1 + NetworkLimits.NONCE_BYTES).put(HELLO).put(acceptorNonce).array();
  }

  /** Returns the context of a welcome, which binds it to one hello. */
  static byte[] welcome(byte[] acceptorNonce, byte[] diallerNonce) {
    return ByteBuffer.allocate(1 + 2 * NetworkLimits.NONCE_BYTES)
        .put(WELCOME)
        .put(acceptorNonce)
        .put(diallerNonce)
        .array();
  }

  private byte[] numbered(byte direction, long number) {
    return ByteBuffer.allocate(1 + nonces.length + Long.BYTES)
        .put(direction)
        .put(nonces)
        .putLong(number)
        .array();
  }

  /** Seals the next frame. The caller must send every sealed frame, in the order of the calls. */
  byte[] seal(byte[] frame) {
    return secret.seal(numbered(sending, sent++), frame);
  }

  /** Rejects a frame that is not the next frame of the other side. */
  void check(Frame frame) throws RejectedException {
    if (!secret.matches(numbered(receiving, received), frame)) {
      throw new RejectedException(RejectReason.SEAL, "forged, repeated or out of order");
    }
    received++;
  }
}
