package io.portcullis.backend.quorum.network;

import io.portcullis.backend.quorum.network.ConnectionManager.QuietClose;
import io.portcullis.backend.quorum.network.Frame.FrameType;
import io.portcullis.backend.quorum.network.Handshake.RejectedException;
import io.portcullis.backend.quorum.network.Network.PeerProcess;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One connection with another node, including its handshake. */
final class PeerConnection {
  private static final byte[] EMPTY = {};

  private final SocketChannel channel;
  private final SelectionKey key;
  private final ByteTransport transport;
  private final LocalPeer self;
  private final Handshake handshake;
  private final NetworkStats stats;
  private final String remote;
  private final FrameDecoder in = new FrameDecoder();
  private final SendQueue out;
  private final LivenessCheck liveness;
  private final long openedAtNanos;
  private boolean closing;
  private long rejectedAfterNanos;
  private String rejectedBecause = "";
  private boolean received;
  private boolean outputShut;
  private boolean closed;

  /** Receives the events of a connection while it is read. */
  interface ConnectionListener {
    /** The identity of the other side's process is authenticated; the listener may reject it. */
    void named(PeerConnection connection, String identity) throws IOException, RejectedException;

    /** The handshake is complete. */
    void up(PeerConnection connection, PeerProcess peer) throws RejectedException;

    void message(PeerConnection connection, byte[] payload);

    /**
     * The other side reports that it rejects this node.
     *
     * @param other the identity of another process because of which it does, null if there is none
     */
    void refusedBy(PeerConnection connection, RejectReason why, @Nullable String other);
  }

  PeerConnection(
      SelectionKey key,
      ByteTransport transport,
      LocalPeer self,
      Handshake handshake,
      NetworkStats stats,
      String remote,
      long timeoutNanos) {
    this.channel = (SocketChannel) key.channel();
    this.key = key;
    this.transport = transport;
    this.self = self;
    this.handshake = handshake;
    this.stats = stats;
    this.remote = remote;
    out = new SendQueue(stats);
    liveness = new LivenessCheck(timeoutNanos);
    openedAtNanos = System.nanoTime();
    stats.opened();
    handshake.begin(out);
  }

  Handshake handshake() {
    return handshake;
  }

  int member() {
    return handshake.member();
  }

  boolean isUp() {
    return handshake.peer() != null;
  }

  boolean isOpen() {
    return channel.isOpen();
  }

  boolean isConnected() {
    return channel.isConnected();
  }

  /** Whether it stays open only until the other side has read what was sent. */
  boolean isClosing() {
    return closing;
  }

  /** Its age when it was rejected. */
  long rejectedAfterNanos() {
    return rejectedAfterNanos;
  }

  /** Why it was rejected. */
  String rejectedBecause() {
    return rejectedBecause;
  }

  /** Whether the other side has sent anything yet. */
  boolean hasReceived() {
    return received;
  }

  String remote() {
    return remote;
  }

  long ageNanos(long nowNanos) {
    return nowNanos - openedAtNanos;
  }

  LivenessCheck liveness() {
    return liveness;
  }

  /** Reads and writes without blocking; returns whether there may be more to read. */
  boolean serve(ConnectionListener listener) throws IOException, RejectedException {
    if (!channel.isConnected() && !channel.finishConnect()) {
      return false;
    }
    boolean more = read(listener);
    flush();
    return more;
  }

  private boolean read(ConnectionListener listener) throws IOException, RejectedException {
    int left = NetworkLimits.MAX_READ_BYTES_PER_TURN;
    while (left > 0) {
      int length = transport.read(in.space());
      if (length == 0) {
        return false;
      }
      if (length < 0) {
        throw new EOFException("closed by the other side");
      }
      left -= length;
      received = true;
      stats.receivedBytes(length);
      if (closing) {
        in.clear();
        continue;
      }
      for (byte[] raw = in.next(); raw != null; raw = in.next()) {
        handle(Frame.of(raw, self.clusterIdentity(), self.keyring().sealLength()), listener);
      }
    }
    return true;
  }

  private void handle(Frame frame, ConnectionListener listener)
      throws IOException, RejectedException {
    if (!isUp()) {
      if (frame.kind() == FrameType.REFUSAL) {
        onRefusal(frame.body(), listener);
        throw new EOFException("refused by the other side");
      }
      boolean wasNamed = handshake.identity() != null;
      handshake.on(frame, out);
      stats.receivedFrame();
      String identity = handshake.identity();
      if (identity != null && !wasNamed) {
        listener.named(this, identity);
      }
      PeerProcess peer = handshake.peer();
      if (peer != null) {
        out.widen();
        listener.up(this, peer);
      }
      return;
    }
    if (frame.sender() != handshake.member()) {
      throw new RejectedException(RejectReason.STRANGER, "the sender has changed");
    }
    if (!frame.kind().isSealed()) {
      throw new RejectedException(RejectReason.SEAL, frame.kind() + " after the handshake");
    }
    handshake.authenticator().check(frame);
    stats.receivedFrame();
    liveness.received();
    switch (frame.kind()) {
      case MESSAGE -> listener.message(this, frame.body());
      case PING -> send(FrameType.PONG, EMPTY);
      case PONG -> {} // Its arrival is already recorded.
      default ->
          throw new RejectedException(
              RejectReason.MALFORMED, frame.kind() + " after the handshake");
    }
  }

  private void onRefusal(byte[] body, ConnectionListener listener) throws RejectedException {
    RejectReason why = body.length == 0 ? null : RejectReason.of(body[0]);
    String other =
        body.length < 2 ? null : Handshake.name(Arrays.copyOfRange(body, 1, body.length));
    listener.refusedBy(this, why == null ? RejectReason.MALFORMED : why, other);
  }

  /** Queues a frame on an established connection; returns false if the queue is full. */
  boolean send(FrameType kind, byte[] body) {
    if (!out.hasRoom()) {
      return false;
    }
    byte[] frame = self.clusterIdentity().frame(kind, body);
    out.put(frame, handshake.authenticator().seal(frame));
    if (kind != FrameType.PONG) {
      liveness.sent(System.nanoTime()); // A pong has no response.
    }
    return true;
  }

  void ping() {
    // If the queue is full, the other side has enough frames to respond to.
    boolean unused = send(FrameType.PING, EMPTY);
  }

  /** Pings the other side because another process claims to run as its member. */
  void challenge(long nowNanos) {
    if (liveness.challenge(nowNanos)) {
      ping();
    }
  }

  /** Sends the reason for the rejection, then only waits until the other side has read it. */
  void refuse(RejectReason why, String detail, @Nullable String other) throws IOException {
    closing = true;
    rejectedBecause = "this node refused it: " + why.remedy() + " (" + detail + ")";
    rejectedAfterNanos = ageNanos(System.nanoTime());
    in.clear();
    out.clear();
    byte[] identity = other == null ? EMPTY : other.getBytes(StandardCharsets.UTF_8);
    byte[] body = new byte[1 + identity.length];
    body[0] = (byte) why.code();
    System.arraycopy(identity, 0, body, 1, identity.length);
    out.put(self.clusterIdentity().frame(FrameType.REFUSAL, body), EMPTY);
    flush();
  }

  /** Whether the other side can receive the reason for a rejection. */
  boolean canSendRejection() {
    return isOpen() && isConnected() && !isUp() && !closing && transport.isReady();
  }

  /** Sends what can be sent now. */
  void flush() throws IOException {
    if (!channel.isConnected() || outputShut) {
      return; // Writing to a shut output fails, even without data, and would end the wait.
    }
    out.flush(transport);
    if (closing && out.isEmpty() && !transport.awaitsRoom(false)) {
      outputShut = true;
      transport.shutOutput();
      key.interestOps(SelectionKey.OP_READ);
      return;
    }
    int write = transport.awaitsRoom(!out.isEmpty()) ? SelectionKey.OP_WRITE : 0;
    key.interestOps(SelectionKey.OP_READ | write);
  }

  /** Sends what is queued and then shuts the output, so that the other side closes. */
  void closeOutput() throws IOException {
    closing = true;
    flush();
  }

  void close() {
    if (closed) { // Not channel.isOpen(): the channel closes itself when connecting fails.
      return;
    }
    closed = true;
    stats.closed();
    @Nullable IOException unused = QuietClose.quietly(channel);
  }

  /**
   * Splits the received bytes into frames. It never holds more than one frame, and it checks the
   * length and version of a frame before the rest of it has arrived.
   */
  static final class FrameDecoder {
    private final ByteBuffer bytes =
        ByteBuffer.allocate(NetworkLimits.LENGTH_FIELD_BYTES + NetworkLimits.MAX_FRAME_BYTES);

    /** The buffer to read into. It has space after {@link #next()} has returned null. */
    ByteBuffer space() {
      return bytes;
    }

    /** Returns the next frame without its length field; null until it is complete. */
    byte @Nullable [] next() throws RejectedException {
      if (bytes.position() < NetworkLimits.LENGTH_FIELD_BYTES) {
        return null;
      }
      int length = Short.toUnsignedInt(bytes.getShort(0));
      if (length > NetworkLimits.MAX_FRAME_BYTES) {
        throw new RejectedException(RejectReason.TOO_LONG, "a frame of " + length + " bytes");
      }
      if (length > 0 && bytes.position() == NetworkLimits.LENGTH_FIELD_BYTES) {
        return null;
      }
      // The version is checked before the minimum length: another version may have shorter frames.
      byte version = bytes.get(NetworkLimits.LENGTH_FIELD_BYTES);
      if (length > 0 && version != ClusterIdentity.VERSION) {
        throw new RejectedException(
            RejectReason.VERSION,
            "it uses version "
                + Byte.toUnsignedInt(version)
                + ", this node uses "
                + ClusterIdentity.VERSION);
      }
      if (length < NetworkLimits.HEADER_BYTES) {
        throw new RejectedException(RejectReason.MALFORMED, "a frame of " + length + " bytes");
      }
      int end = NetworkLimits.LENGTH_FIELD_BYTES + length;
      if (bytes.position() < end) {
        return null;
      }
      byte[] raw = Arrays.copyOfRange(bytes.array(), NetworkLimits.LENGTH_FIELD_BYTES, end);
      bytes.flip().position(end);
      bytes.compact();
      return raw;
    }

    void clear() {
      bytes.clear();
    }
  }
}
