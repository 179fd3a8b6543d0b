package io.portcullis.backend.quorum.network;

import java.util.concurrent.TimeUnit;

/** How much of anything there may be, so that no peer can make this node hold or do more. */
final class NetworkLimits {
  /** The two bytes that announce a frame's length, which does not count them. */
  static final int LENGTH_FIELD = 2;

  /** Version, sender, cluster, list and kind. */
  static final int HEADER = 1 + 1 + ClusterIdentity.DIGEST + ClusterIdentity.DIGEST + 1;

  static final int NONCE = 16;
  static final int SEAL = 32;

  /** The longest identity or address, in bytes of UTF-8. */
  static final int NAME = 110;

  /** The longest body is a hello's: nonce, whom it wants to reach, identity. */
  static final int BODY = NONCE + 1 + NAME;

  /** The longest message of the user. */
  static final int PAYLOAD = 96;

  /** The longest frame that may be announced: what is longer is refused before it is read. */
  static final int FRAME = HEADER + BODY + SEAL;

  /** The sender's place is one byte. */
  static final int MEMBERS = 255;

  /** What a link may hold unsent before its peer is known: more than a handshake ever sends. */
  static final int HANDSHAKE_QUEUE = 3 * (LENGTH_FIELD + FRAME);

  /** What a link may hold unsent. Beyond that messages are dropped. */
  static final int QUEUE = 64 * (LENGTH_FIELD + FRAME);

  /** What is read from one link before the others have their turn. */
  static final int READ_PER_TURN = 8 * 1024;

  /** How many connections are accepted before the others have their turn. */
  static final int ACCEPTS_PER_TURN = 64;

  /**
   * How many accepted connections may be unfinished with their handshake. More than the members of
   * a large council that all dial at once.
   */
  static final int UNPROVEN = 64;

  /** Two by dialling at the same time; a third replaces the oldest. */
  static final int LINKS_PER_MEMBER = 2;

  static final long HANDSHAKE_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** How long a refused peer may take to read why. */
  static final long LINGER_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** How long closing may take to send what is queued. */
  static final long FAREWELL_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /**
   * How often a node calls its own address, to see whether another process of its member answers.
   */
  static final long OWN_CALL_NANOS = TimeUnit.SECONDS.toNanos(2);

  static final long MIN_BACK_OFF_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  static final long MAX_BACK_OFF_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How long nothing is accepted after the system could not give a socket. */
  static final long ACCEPT_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** A complaint of one kind is logged at most so often. */
  static final long COMPLAINT_NANOS = TimeUnit.MINUTES.toNanos(1);

  private NetworkLimits() {}
}
