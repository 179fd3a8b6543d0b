package io.portcullis.backend.quorum.network;

import io.portcullis.backend.quorum.network.ConnectionManager.QuietClose;
import io.portcullis.backend.quorum.network.Frame.FrameType;
import io.portcullis.backend.quorum.network.Handshake.RejectedException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One connection with another node, from its first byte on. */
final class PeerConnection {
  private static final byte[] EMPTY = {};

  private final SocketChannel channel;
  private final SelectionKey key;
  private final ByteTransport transport;
  private final LocalPeer self;
  private final Handshake handshake;
  private final NetworkStats traffic;
  private final String remote;
  private final FrameDecoder in = new FrameDecoder();
  private final SendQueue out;
  private final LivenessCheck liveness;
  private final long openedAtNanos;
  private boolean leaving;
  private long leftAfterNanos;
  private String leftBecause = "";
  private boolean spoken;
  private boolean outputShut;
  private boolean closed;

  /** What a link tells while it reads. */
  interface ConnectionListener {
    /** The other side has proven which process of its member it is, and may be refused for that. */
    void named(PeerConnection link, String identity) throws IOException, RejectedException;

    /** The handshake is done. */
    void up(PeerConnection link, PeerProcess peer) throws RejectedException;

    void message(PeerConnection link, byte[] payload);

    /** The other side says that it refuses us, for one of its reasons because of another. */
    void refusedBy(PeerConnection link, RejectReason why, @Nullable String other);
  }

  PeerConnection(
      SelectionKey key,
      ByteTransport wire,
      LocalPeer self,
      Handshake handshake,
      NetworkStats traffic,
      String remote,
      long patienceNanos) {
    this.channel = (SocketChannel) key.channel();
    this.key = key;
    this.transport = wire;
    this.self = self;
    this.handshake = handshake;
    this.traffic = traffic;
    this.remote = remote;
    out = new SendQueue(traffic);
    liveness = new LivenessCheck(patienceNanos);
    openedAtNanos = System.nanoTime();
    traffic.opened();
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

  /** Whether it only lives on so that the other side can read why it was refused. */
  boolean isLeaving() {
    return leaving;
  }

  /** How old it was when it was refused. */
  long leftAfterNanos() {
    return leftAfterNanos;
  }

  /** Why it was refused. */
  String leftBecause() {
    return leftBecause;
  }

  /** Whether the other side has sent anything yet. */
  boolean hasSpoken() {
    return spoken;
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

  /** Does what can be done now, and says whether more may be there to read. */
  boolean serve(ConnectionListener ears) throws IOException, RejectedException {
    if (!channel.isConnected() && !channel.finishConnect()) {
      return false;
    }
    boolean more = read(ears);
    flush();
    return more;
  }

  private boolean read(ConnectionListener ears) throws IOException, RejectedException {
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
      spoken = true;
      traffic.receivedBytes(length);
      if (leaving) {
        in.clear();
        continue;
      }
      for (byte[] raw = in.next(); raw != null; raw = in.next()) {
        take(Frame.of(raw, self.clusterIdentity(), self.keyring().sealLength()), ears);
      }
    }
    return true;
  }

  private void take(Frame frame, ConnectionListener ears) throws IOException, RejectedException {
    if (!isUp()) {
      if (frame.kind() == FrameType.REFUSAL) {
        onRefusal(frame.body(), ears);
        throw new EOFException("refused by the other side");
      }
      boolean wasNamed = handshake.identity() != null;
      handshake.on(frame, out);
      traffic.receivedFrame();
      String identity = handshake.identity();
      if (identity != null && !wasNamed) {
        ears.named(this, identity);
      }
      PeerProcess peer = handshake.peer();
      if (peer != null) {
        out.widen();
        ears.up(this, peer);
      }
      return;
    }
    if (frame.sender() != handshake.member()) {
      throw new RejectedException(RejectReason.STRANGER, "another sender than before");
    }
    if (!frame.kind().isSealed()) {
      throw new RejectedException(RejectReason.SEAL, frame.kind() + " after the handshake");
    }
    handshake.authenticator().check(frame);
    traffic.receivedFrame();
    liveness.heard();
    switch (frame.kind()) {
      case MESSAGE -> ears.message(this, frame.body());
      case PING -> send(FrameType.PONG, EMPTY);
      case PONG -> {} // Being heard was its purpose.
      default ->
          throw new RejectedException(
              RejectReason.MALFORMED, frame.kind() + " after the handshake");
    }
  }

  private void onRefusal(byte[] body, ConnectionListener ears) throws RejectedException {
    RejectReason why = body.length == 0 ? null : RejectReason.of(body[0]);
    String other =
        body.length < 2 ? null : Handshake.name(Arrays.copyOfRange(body, 1, body.length));
    ears.refusedBy(this, why == null ? RejectReason.MALFORMED : why, other);
  }

  /** Queues a frame for a live link; false if the queue is full. */
  boolean send(FrameType kind, byte[] body) {
    if (!out.hasRoom()) {
      return false;
    }
    byte[] frame = self.clusterIdentity().frame(kind, body);
    out.put(frame, handshake.authenticator().seal(frame));
    if (kind != FrameType.PONG) {
      liveness.spoke(System.nanoTime()); // Nobody answers a pong.
    }
    return true;
  }

  void ping() {
    boolean unused = send(FrameType.PING, EMPTY); // If the queue is full there is enough to answer.
  }

  /** Another process says that it is the one at the other end: is this one still there? */
  void challenge(long nowNanos) {
    if (liveness.challenge(nowNanos)) {
      ping();
    }
  }

  /** Tells the other side why, and from now on only waits for it to have read that. */
  void refuse(RejectReason why, String detail, @Nullable String other) throws IOException {
    leaving = true;
    leftBecause = "this node refused it: " + why.remedy() + " (" + detail + ")";
    leftAfterNanos = ageNanos(System.nanoTime());
    in.clear();
    out.clear();
    byte[] named = other == null ? EMPTY : other.getBytes(StandardCharsets.UTF_8);
    byte[] body = new byte[1 + named.length];
    body[0] = (byte) why.code();
    System.arraycopy(named, 0, body, 1, named.length);
    out.put(self.clusterIdentity().frame(FrameType.REFUSAL, body), EMPTY);
    flush();
  }

  /** Whether there is anyone who could read a refusal. */
  boolean canSendRejection() {
    return isOpen() && isConnected() && !isUp() && !leaving && transport.isReady();
  }

  /** Sends what can be sent now. */
  void flush() throws IOException {
    if (!channel.isConnected() || outputShut) {
      return; // Once shut, even writing nothing is an error, and would end the wait for the peer.
    }
    out.flush(transport);
    if (leaving && out.isEmpty() && !transport.awaitsRoom(false)) {
      outputShut = true;
      transport.shutOutput();
      key.interestOps(SelectionKey.OP_READ);
      return;
    }
    int write = transport.awaitsRoom(!out.isEmpty()) ? SelectionKey.OP_WRITE : 0;
    key.interestOps(SelectionKey.OP_READ | write);
  }

  /** Sends what is queued and nothing after that: the other side sees the end and closes. */
  void leave() throws IOException {
    leaving = true;
    flush();
  }

  void close() {
    if (closed) { // Not asked of the channel, which closes itself when connecting fails.
      return;
    }
    closed = true;
    traffic.closed();
    @Nullable IOException unused = QuietClose.quietly(channel);
  }

  /**
   * The bytes of a link that are no whole frame yet. It never holds more than one frame, and what a
   * frame announces is checked before any of it is waited for.
   */
  static final class FrameDecoder {
    private final ByteBuffer bytes =
        ByteBuffer.allocate(NetworkLimits.LENGTH_FIELD_BYTES + NetworkLimits.MAX_FRAME_BYTES);

    /** Where to read to. After {@link #next()} gave null there is always space. */
    ByteBuffer space() {
      return bytes;
    }

    /** The next frame without its length, or null as long as it is not whole. */
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
      // The version comes before the shortest length: another version may have shorter frames.
      byte version = bytes.get(NetworkLimits.LENGTH_FIELD_BYTES);
      if (length > 0 && version != ClusterIdentity.VERSION) {
        throw new RejectedException(
            RejectReason.VERSION,
            "it speaks version "
                + Byte.toUnsignedInt(version)
                + ", we speak "
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
