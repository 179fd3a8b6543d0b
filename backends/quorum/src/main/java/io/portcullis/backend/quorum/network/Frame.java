package io.portcullis.backend.quorum.network;

import io.portcullis.backend.quorum.network.Handshake.RejectedException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A received frame whose header has been checked and whose seal has not. */
final class Frame {
  private final byte[] raw;
  private final FrameType kind;
  private final int sender;
  private final int sealAt;

  private Frame(byte[] raw, FrameType kind, int sender, int sealAt) {
    this.raw = raw;
    this.kind = kind;
    this.sender = sender;
    this.sealAt = sealAt;
  }

  /**
   * Parses a frame and checks its header.
   *
   * @param raw the frame without its length field; its version has been checked
   * @param sealLength length of a seal in this cluster
   */
  static Frame of(byte[] raw, ClusterIdentity identity, int sealLength) throws RejectedException {
    FrameType kind = FrameType.of(raw[NetworkLimits.HEADER_BYTES - 1]);
    if (kind == FrameType.REFUSAL) {
      // The refusing node may have another cluster or list; that may be the reason it sends.
      return new Frame(raw, kind, Byte.toUnsignedInt(raw[1]), raw.length);
    }
    int sender = identity.checkedSender(raw);
    if (kind == null) {
      throw new RejectedException(RejectReason.MALFORMED, "an unknown kind of frame");
    }
    int sealAt = kind.isSealed() ? raw.length - sealLength : raw.length;
    if (sealAt < NetworkLimits.HEADER_BYTES) {
      throw new RejectedException(RejectReason.SEAL, "a frame without a seal");
    }
    if (sealAt - NetworkLimits.HEADER_BYTES > NetworkLimits.MAX_BODY_BYTES) {
      throw new RejectedException(
          RejectReason.TOO_LONG, "a body of " + (sealAt - NetworkLimits.HEADER_BYTES) + " bytes");
    }
    return new Frame(raw, kind, sender, sealAt);
  }

  FrameType kind() {
    return kind;
  }

  int sender() {
    return sender;
  }

  byte[] body() {
    return Arrays.copyOfRange(raw, NetworkLimits.HEADER_BYTES, sealAt);
  }

  /** The bytes that the seal covers. */
  byte[] covered() {
    return Arrays.copyOf(raw, sealAt);
  }

  byte[] seal() {
    return Arrays.copyOfRange(raw, sealAt, raw.length);
  }

  /** The purpose of a frame. */
  enum FrameType {
    /** First frame of the acceptor: its nonce, and whether it seals frames. Not sealed itself. */
    GREETING(1),
    /** The dialler's reply: its nonce, the member it wants to reach, its identity. */
    HELLO(2),
    /** The acceptor's reply: its identity. */
    WELCOME(3),
    /** The address of a process's service; the first frame of each side after the welcome. */
    ADDRESS(4),
    MESSAGE(5),
    PING(6),
    PONG(7),
    /** The reason why the sender closes the connection. Not sealed, so it proves nothing. */
    REFUSAL(8);

    private final int code;

    FrameType(int code) {
      this.code = code;
    }

    byte code() {
      return (byte) code;
    }

    boolean isSealed() {
      return this != GREETING && this != REFUSAL;
    }

    static @Nullable FrameType of(int code) {
      for (FrameType kind : values()) {
        if (kind.code == code) {
          return kind;
        }
      }
      return null;
    }
  }
}
