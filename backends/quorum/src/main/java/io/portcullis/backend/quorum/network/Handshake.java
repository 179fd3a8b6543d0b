package io.portcullis.backend.quorum.network;

import io.portcullis.backend.quorum.network.Frame.FrameType;
import io.portcullis.backend.quorum.network.Network.PeerProcess;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The handshake of a connection, in which each side authenticates the other.
 *
 * <ol>
 *   <li>Greeting: the acceptor sends a nonce.
 *   <li>Hello: the dialler sends its own nonce, its identity and the member it wants to reach. The
 *       seal covers the acceptor's nonce, so the hello is fresh. The target member prevents an
 *       attacker from forwarding the hello to another member.
 *   <li>Welcome: the acceptor sends its identity. The seal covers both nonces, so the welcome is a
 *       reply to this hello.
 *   <li>Address: each side sends its service address, the first frame sealed by its {@link
 *       FrameAuthenticator}.
 * </ol>
 *
 * <p>All frames of the connection are sealed with the secret that the dialler used and that the
 * acceptor has found among its own.
 *
 * <p>A node also dials its own address, to detect another process of its member. Such a connection
 * has served its purpose once the other side's identity is known and is never established.
 *
 * <p>The greeting is not sealed. An attacker that alters it can only make the hello or the welcome
 * fail; no check becomes weaker.
 */
final class Handshake {
  private static final byte[] UNSEALED = {};

  private final LocalPeer self;
  private final boolean dialled;
  private final byte[] nonce;
  private @Nullable FrameType expected;
  private int member;
  private byte[] otherNonce = {};
  private @Nullable String identity;
  private @Nullable FrameAuthenticator authenticator;
  private @Nullable PeerProcess peer;

  private Handshake(LocalPeer self, boolean dialled, int member) {
    this.self = self;
    this.dialled = dialled;
    this.member = member;
    nonce = self.nonce();
    expected = dialled ? FrameType.GREETING : FrameType.HELLO;
  }

  static Handshake dialling(LocalPeer self, int member) {
    return new Handshake(self, true, member);
  }

  static Handshake accepting(LocalPeer self) {
    return new Handshake(self, false, -1);
  }

  boolean isDialled() {
    return dialled;
  }

  /**
   * The member at the other end, or -1 while an acceptor does not know it. Authenticated once the
   * handshake is complete.
   */
  int member() {
    return member;
  }

  /** The identity of the other side's process; null until it is authenticated. */
  @Nullable String identity() {
    return identity;
  }

  /** The other side's process; null until the handshake is complete. */
  @Nullable PeerProcess peer() {
    return peer;
  }

  /** Seals and checks all frames after the welcome. */
  FrameAuthenticator authenticator() {
    if (authenticator == null) {
      throw new IllegalStateException("no seal before the handshake");
    }
    return authenticator;
  }

  void begin(SendQueue out) {
    if (!dialled) {
      byte[] body = Arrays.copyOf(nonce, NetworkLimits.NONCE_BYTES + 1);
      body[NetworkLimits.NONCE_BYTES] = sealFlag();
      out.put(self.clusterIdentity().frame(FrameType.GREETING, body), UNSEALED);
    }
  }

  void on(Frame frame, SendQueue out) throws RejectedException {
    if (frame.kind() != expected) {
      throw new RejectedException(
          RejectReason.MALFORMED, frame.kind() + " where " + expected + " was expected");
    }
    if (member >= 0 && frame.sender() != member) {
      throw new RejectedException(
          RejectReason.STRANGER,
          "it is "
              + self.clusterIdentity().member(frame.sender()).id()
              + ", and "
              + self.clusterIdentity().member(member).id()
              + " was expected");
    }
    switch (frame.kind()) {
      case GREETING -> onGreeting(frame, out);
      case HELLO -> onHello(frame, out);
      case WELCOME -> onWelcome(frame, out);
      case ADDRESS -> onAddress(frame);
      default -> throw new AssertionError("expected " + frame.kind());
    }
  }

  private void onGreeting(Frame frame, SendQueue out) throws RejectedException {
    byte[] greeting = frame.body();
    if (greeting.length != NetworkLimits.NONCE_BYTES + 1) {
      throw new RejectedException(
          RejectReason.MALFORMED, "a greeting of " + greeting.length + " bytes");
    }
    if (greeting[NetworkLimits.NONCE_BYTES] != sealFlag()) {
      throw new RejectedException(
          RejectReason.SEAL,
          sealFlag() == 1
              ? "we have a secret and it has none"
              : "it has a secret and we have none");
    }
    otherNonce = Arrays.copyOf(greeting, NetworkLimits.NONCE_BYTES);
    byte[] identity = ownIdentity();
    byte[] hello =
        self.clusterIdentity()
            .frame(
                FrameType.HELLO,
                ByteBuffer.allocate(NetworkLimits.NONCE_BYTES + 1 + identity.length)
                    .put(nonce)
                    .put((byte) member)
                    .put(identity)
                    .array());
    out.put(hello, self.keyring().first().seal(FrameAuthenticator.hello(otherNonce), hello));
    expected = FrameType.WELCOME;
  }

  private void onHello(Frame frame, SendQueue out) throws RejectedException {
    ClusterSecret secret = self.keyring().secretFor(FrameAuthenticator.hello(nonce), frame);
    byte[] hello = frame.body();
    if (hello.length <= NetworkLimits.NONCE_BYTES + 1) {
      throw new RejectedException(RejectReason.MALFORMED, "a hello of " + hello.length + " bytes");
    }
    int target = Byte.toUnsignedInt(hello[NetworkLimits.NONCE_BYTES]);
    if (target != self.clusterIdentity().self()) {
      throw new RejectedException(RejectReason.STRANGER, "it wants to reach member " + target);
    }
    otherNonce = Arrays.copyOf(hello, NetworkLimits.NONCE_BYTES);
    identity = name(Arrays.copyOfRange(hello, NetworkLimits.NONCE_BYTES + 1, hello.length));
    member = frame.sender();
    byte[] welcome = self.clusterIdentity().frame(FrameType.WELCOME, ownIdentity());
    out.put(welcome, secret.seal(FrameAuthenticator.welcome(nonce, otherNonce), welcome));
    authenticator = new FrameAuthenticator(secret, false, nonce, otherNonce);
    sendAddress(out);
  }

  private void onWelcome(Frame frame, SendQueue out) throws RejectedException {
    ClusterSecret secret = self.keyring().first();
    if (!secret.matches(FrameAuthenticator.welcome(otherNonce, nonce), frame)) {
      throw new RejectedException(RejectReason.SEAL, "the welcome is not for our hello");
    }
    identity = name(frame.body());
    authenticator = new FrameAuthenticator(secret, true, otherNonce, nonce);
    sendAddress(out);
  }

  private void sendAddress(SendQueue out) {
    String address = self.peer().address();
    byte[] body = address == null ? new byte[0] : address.getBytes(StandardCharsets.UTF_8);
    byte[] frame = self.clusterIdentity().frame(FrameType.ADDRESS, body);
    out.put(frame, authenticator().seal(frame));
    expected = FrameType.ADDRESS;
  }

  private void onAddress(Frame frame) throws RejectedException {
    authenticator().check(frame);
    if (identity == null || member == self.clusterIdentity().self()) {
      throw new RejectedException(
          RejectReason.STRANGER, "this member itself; no connection with it is needed");
    }
    byte[] address = frame.body();
    peer = new PeerProcess(identity, address.length == 0 ? null : name(address));
    expected = null;
  }

  private byte sealFlag() {
    return (byte) (self.keyring().isSealing() ? 1 : 0);
  }

  private byte[] ownIdentity() {
    return self.peer().identity().getBytes(StandardCharsets.UTF_8);
  }

  /** Decodes a name. Names appear in logs and status pages, so only printable text is accepted. */
  static String name(byte[] bytes) throws RejectedException {
    try {
      String name = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      if (name.isEmpty()
          || bytes.length > NetworkLimits.MAX_NAME_BYTES
          || name.chars().anyMatch(Character::isISOControl)) {
        throw new RejectedException(RejectReason.MALFORMED, "a name of " + bytes.length + " bytes");
      }
      return name;
    } catch (CharacterCodingException e) {
      throw new RejectedException(RejectReason.MALFORMED, "a name that is not valid UTF-8");
    }
  }

  /** Thrown when received data fails a check and the connection must be closed. */
  static final class RejectedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final RejectReason why;
    private final @Nullable String other;

    RejectedException(RejectReason why, String detail) {
      this(why, detail, null);
    }

    /** Creates a rejection because of another process, whose identity is sent to the other side. */
    RejectedException(RejectReason why, String detail, @Nullable String other) {
      super(detail, null, false, false); // Any client can cause it, so it has no stack trace.
      this.why = why;
      this.other = other;
    }

    @Nullable String other() {
      return other;
    }

    RejectReason why() {
      return why;
    }
  }
}
