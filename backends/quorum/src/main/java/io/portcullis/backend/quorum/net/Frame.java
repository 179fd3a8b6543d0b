package io.portcullis.backend.quorum.net;

import java.util.Arrays;

/** One frame as it came, whose header was checked; its seal was not yet. */
final class Frame {
  private final byte[] raw;
  private final Kind kind;
  private final int sender;
  private final int sealAt;

  private Frame(byte[] raw, Kind kind, int sender, int sealAt) {
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
  static Frame of(byte[] raw, Roster roster, int sealLength) throws Refused {
    Kind kind = Kind.of(raw[Bounds.HEADER - 1]);
    if (kind == Kind.REFUSAL) {
      // Whoever refuses us may have another cluster or list: that is what it has to say.
      return new Frame(raw, kind, Byte.toUnsignedInt(raw[1]), raw.length);
    }
    int sender = roster.checkedSender(raw);
    if (kind == null) {
      throw new Refused(Refusal.MALFORMED, "an unknown kind of frame");
    }
    int sealAt = kind.isSealed() ? raw.length - sealLength : raw.length;
    if (sealAt < Bounds.HEADER) {
      throw new Refused(Refusal.SEAL, "a frame without a seal");
    }
    if (sealAt - Bounds.HEADER > Bounds.BODY) {
      throw new Refused(Refusal.TOO_LONG, "a body of " + (sealAt - Bounds.HEADER) + " bytes");
    }
    return new Frame(raw, kind, sender, sealAt);
  }

  Kind kind() {
    return kind;
  }

  int sender() {
    return sender;
  }

  byte[] body() {
    return Arrays.copyOfRange(raw, Bounds.HEADER, sealAt);
  }

  /** What the seal is made over. */
  byte[] covered() {
    return Arrays.copyOf(raw, sealAt);
  }

  byte[] seal() {
    return Arrays.copyOfRange(raw, sealAt, raw.length);
  }
}
