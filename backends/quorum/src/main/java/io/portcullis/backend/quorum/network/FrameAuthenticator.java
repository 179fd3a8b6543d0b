package io.portcullis.backend.quorum.network;

import io.portcullis.backend.quorum.network.Handshake.RejectedException;
import java.nio.ByteBuffer;

/**
 * The seals of one link once both nonces are known. Each is made over both nonces, the direction,
 * the number of the frame and the frame. Since each side chose one of the nonces at random, no seal
 * of another link fits here; since the direction is in it, none of ours fits when it comes back;
 * since the number is in it, none fits twice or in another order, and a missing frame shows.
 */
final class FrameAuthenticator {
  /** Contexts of seals, by their first byte. */
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

  /** The context of a hello: it answers this greeting and no other. */
  static byte[] hello(byte[] acceptorNonce) {
    return ByteBuffer.allocate(1 + NetworkLimits.NONCE_BYTES).put(HELLO).put(acceptorNonce).array();
  }

  /** The context of a welcome: it answers this hello and no other. */
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

  /** Seals the next frame to go. It has to go, and in this order. */
  byte[] seal(byte[] frame) {
    return secret.seal(numbered(sending, sent++), frame);
  }

  /** Refuses whatever is not the next frame of the other side. */
  void check(Frame frame) throws RejectedException {
    if (!secret.fits(numbered(receiving, received), frame)) {
      throw new RejectedException(RejectReason.SEAL, "forged, repeated or out of order");
    }
    received++;
  }
}
