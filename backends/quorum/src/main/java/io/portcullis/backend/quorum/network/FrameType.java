package io.portcullis.backend.quorum.network;

import org.jspecify.annotations.Nullable;

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
