package io.portcullis.backend.quorum.network;

import java.util.concurrent.TimeUnit;

/** How much of anything there may be, so that no peer can make this node hold or do more. */
final class NetworkLimits {
  /** The two bytes that announce a frame's length, which does not count them. */
  static final int LENGTH_FIELD_BYTES = 2;

  /** Version, sender, cluster, list and kind. */
  static final int HEADER_BYTES =
      1 + 1 + ClusterIdentity.DIGEST_BYTES + ClusterIdentity.DIGEST_BYTES + 1;

  static final int NONCE_BYTES = 16;
  static final int MAC_BYTES = 32;

  /** The longest identity or address, in bytes of UTF-8. */
  static final int MAX_NAME_BYTES = 110;

  /** The longest body is a hello's: nonce, whom it wants to reach, identity. */
  static final int MAX_BODY_BYTES = NONCE_BYTES + 1 + MAX_NAME_BYTES;

  /** The longest message of the user. */
  static final int MAX_PAYLOAD_BYTES = 96;

  /** The longest frame that may be announced: what is longer is refused before it is read. */
  static final int MAX_FRAME_BYTES = HEADER_BYTES + MAX_BODY_BYTES + MAC_BYTES;

  /** The sender's place is one byte. */
  static final int MAX_MEMBERS = 255;

  /** What a link may hold unsent before its peer is known: more than a handshake ever sends. */
  static final int MAX_HANDSHAKE_QUEUE_BYTES = 3 * (LENGTH_FIELD_BYTES + MAX_FRAME_BYTES);

  /** What a link may hold unsent. Beyond that messages are dropped. */
  static final int MAX_QUEUE_BYTES = 64 * (LENGTH_FIELD_BYTES + MAX_FRAME_BYTES);

  /** What is read from one link before the others have their turn. */
  static final int MAX_READ_BYTES_PER_TURN = 8 * 1024;

  /** How many connections are accepted before the others have their turn. */
  static final int MAX_ACCEPTS_PER_TURN = 64;

  /**
   * How many accepted connections may be unfinished with their handshake. More than the members of
   * a large council that all dial at once.
   */
  static final int MAX_UNAUTHENTICATED = 64;

  /** Two by dialling at the same time; a third replaces the oldest. */
  static final int MAX_LINKS_PER_MEMBER = 2;

  static final long MAX_HANDSHAKE_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** How long a refused peer may take to read why. */
  static final long MAX_LINGER_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** How long closing may take to send what is queued. */
  static final long MAX_CLOSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /**
   * How often a node calls its own address, to see whether another process of its member answers.
   */
  static final long SELF_CHECK_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(2);

  static final long MIN_BACK_OFF_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  static final long MAX_BACK_OFF_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How long nothing is accepted after the system could not give a socket. */
  static final long ACCEPT_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** A complaint of one kind is logged at most so often. */
  static final long MIN_WARNING_INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

  private NetworkLimits() {}
}
