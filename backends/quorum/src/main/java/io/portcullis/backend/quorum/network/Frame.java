package io.portcullis.backend.quorum.network;

import io.portcullis.backend.quorum.network.Handshake.RejectedException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One frame as it came, whose header was checked; its seal was not yet. */
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
   * Checks a header.
   *
   * @param raw all of the frame but its length; the version was checked
   * @param sealLength how long seals are here
   */
  static Frame of(byte[] raw, ClusterIdentity roster, int sealLength) throws RejectedException {
    FrameType kind = FrameType.of(raw[NetworkLimits.HEADER_BYTES - 1]);
    if (kind == FrameType.REFUSAL) {
      // Whoever refuses us may have another cluster or list: that is what it has to say.
      return new Frame(raw, kind, Byte.toUnsignedInt(raw[1]), raw.length);
    }
    int sender = roster.checkedSender(raw);
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

  /** What the seal is made over. */
  byte[] covered() {
    return Arrays.copyOf(raw, sealAt);
  }

  byte[] seal() {
    return Arrays.copyOfRange(raw, sealAt, raw.length);
  }

  /** What a frame is for. */
  enum FrameType {
    /** The acceptor's first word: its nonce, and whether it seals. Not sealed. */
    GREETING(1),
    /** The dialler's answer: its nonce, whom it wants to reach, its identity. */
    HELLO(2),
    /** The acceptor's answer: its identity. */
    WELCOME(3),
    /** Where the service of a process is reached; each side's first word after the welcome. */
    ADDRESS(4),
    MESSAGE(5),
    PING(6),
    PONG(7),
    /** Why the sender closes. Not sealed, so it proves nothing. */
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
