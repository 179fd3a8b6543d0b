package io.portcullis.backend.quorum.network;

import io.portcullis.election.config.Backoff;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Limits on memory, connections and work that a peer can cause on this node. */
final class NetworkLimits {
  /** Size of the length field before a frame; the length does not include it. */
  static final int LENGTH_FIELD_BYTES = 2;

  /** Version, sender, cluster, list and kind. */
  static final int HEADER_BYTES =
      1 + 1 + ClusterIdentity.DIGEST_BYTES + ClusterIdentity.DIGEST_BYTES + 1;

  static final int NONCE_BYTES = 16;
  static final int MAC_BYTES = 32;

  /** Maximum length of an identity or address, in bytes of UTF-8. */
  static final int MAX_NAME_BYTES = 110;

  /** Maximum length of a body. The longest is a hello: nonce, target member, identity. */
  static final int MAX_BODY_BYTES = NONCE_BYTES + 1 + MAX_NAME_BYTES;

  /** Maximum length of a message. A frame with it is shorter than 100 bytes. */
  static final int MAX_PAYLOAD_BYTES = 40;

  /** Maximum length of a frame; a longer one is rejected before it is read. */
  static final int MAX_FRAME_BYTES = HEADER_BYTES + MAX_BODY_BYTES + MAC_BYTES;

  /** Maximum number of members, since the sender's index is one byte. */
  static final int MAX_MEMBERS = 255;

  /** Send queue size before the peer is authenticated: more than a handshake ever sends. */
  static final int MAX_HANDSHAKE_QUEUE_BYTES = 3 * (LENGTH_FIELD_BYTES + MAX_FRAME_BYTES);

  /** Send queue size of a connection. Messages beyond it are dropped. */
  static final int MAX_QUEUE_BYTES = 64 * (LENGTH_FIELD_BYTES + MAX_FRAME_BYTES);

  /** Maximum number of bytes read from one connection before the others are served. */
  static final int MAX_READ_BYTES_PER_TURN = 8 * 1024;

  /** Maximum number of connections accepted before the others are served. */
  static final int MAX_ACCEPTS_PER_TURN = 64;

  /**
   * Maximum number of accepted connections in their handshake. It exceeds the number of members in
   * a large cluster that all connect at once.
   */
  static final int MAX_UNAUTHENTICATED = 64;

  /** Two, if both nodes dial at the same time; a third connection replaces the oldest. */
  static final int MAX_LINKS_PER_MEMBER = 2;

  static final long MAX_HANDSHAKE_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** Maximum time that a rejected connection stays open so that the peer can read the reason. */
  static final long MAX_LINGER_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** Maximum time that closing waits for queued messages to be sent. */
  static final long MAX_CLOSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /**
   * Interval at which a node connects to its own address, to detect another process of its member.
   */
  static final long SELF_CHECK_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** Pauses between attempts to reach a member: from 25 to 50 ms, up to a second. */
  static final Backoff RECONNECT_BACKOFF =
      new Backoff(Duration.ofNanos(37_500_000), Duration.ofMillis(750), 1.0 / 3);

  /** A connection that was lost before this age is not redialled immediately. */
  static final long MIN_STABLE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Pause of accepting after the system could not provide a socket. */
  static final long ACCEPT_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** Minimum interval between two warnings of the same kind. */
  static final long MIN_WARNING_INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

  private NetworkLimits() {}
}
