package io.portcullis.backend.quorum.network;

import io.portcullis.backend.quorum.network.Frame.FrameType;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The first frames of a link, after which each side knows who the other is.
 *
 * <p>The acceptor greets with a nonce. The dialler's hello is sealed over it, so it was made now,
 * and names whom it is for, so that nobody can pass it on to another member. The acceptor's welcome
 * is sealed over both nonces, so it answers this hello. Then each tells its address, the first
 * frame of their {@link FrameAuthenticator}. The link is sealed with the secret that the dialler
 * used, which the acceptor has found among its own.
 *
 * <p>A node also calls its own address, to see whether another process of its member is there. As
 * soon as it is named the call has served its purpose; such a link never comes up.
 *
 * <p>The greeting is not sealed. Whoever alters it can only make the hello or the welcome fail:
 * nothing is ever weakened because of it.
 */
final class Handshake {
  private static final byte[] UNSEALED = {};

  private final LocalPeer self;
  private final boolean dialled;
  private final byte[] nonce;
  private @Nullable FrameType awaited;
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
    awaited = dialled ? FrameType.GREETING : FrameType.HELLO;
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

  /** Whom we speak with, or -1 as long as an acceptor does not know. Proven once it is done. */
  int member() {
    return member;
  }

  /** Which process of its member the other side is, or null as long as it has not proven it. */
  @Nullable String identity() {
    return identity;
  }

  /** The other side's process, or null as long as this is not done. */
  @Nullable PeerProcess peer() {
    return peer;
  }

  /** How all later frames are sealed. */
  FrameAuthenticator authenticator() {
    if (authenticator == null) {
      throw new IllegalStateException("sealing before the handshake");
    }
    return authenticator;
  }

  void begin(SendQueue out) {
    if (!dialled) {
      byte[] body = Arrays.copyOf(nonce, NetworkLimits.NONCE_BYTES + 1);
      body[NetworkLimits.NONCE_BYTES] = sealing();
      out.put(self.clusterIdentity().frame(FrameType.GREETING, body), UNSEALED);
    }
  }

  void on(Frame frame, SendQueue out) throws RejectedException {
    if (frame.kind() != awaited) {
      throw new RejectedException(
          RejectReason.MALFORMED, frame.kind() + " where " + awaited + " was expected");
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
      default -> throw new AssertionError("awaited " + frame.kind());
    }
  }

  private void onGreeting(Frame frame, SendQueue out) throws RejectedException {
    byte[] greeting = frame.body();
    if (greeting.length != NetworkLimits.NONCE_BYTES + 1) {
      throw new RejectedException(
          RejectReason.MALFORMED, "a greeting of " + greeting.length + " bytes");
    }
    if (greeting[NetworkLimits.NONCE_BYTES] != sealing()) {
      throw new RejectedException(
          RejectReason.SEAL,
          sealing() == 1 ? "we have a secret and it has none" : "it has a secret and we have none");
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
    awaited = FrameType.WELCOME;
  }

  private void onHello(Frame frame, SendQueue out) throws RejectedException {
    ClusterSecret secret = self.keyring().opening(FrameAuthenticator.hello(nonce), frame);
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
    tellAddress(out);
  }

  private void onWelcome(Frame frame, SendQueue out) throws RejectedException {
    ClusterSecret secret = self.keyring().first();
    if (!secret.fits(FrameAuthenticator.welcome(otherNonce, nonce), frame)) {
      throw new RejectedException(RejectReason.SEAL, "the welcome is not for our hello");
    }
    identity = name(frame.body());
    authenticator = new FrameAuthenticator(secret, true, otherNonce, nonce);
    tellAddress(out);
  }

  private void tellAddress(SendQueue out) {
    String address = self.peer().address();
    byte[] body = address == null ? new byte[0] : address.getBytes(StandardCharsets.UTF_8);
    byte[] frame = self.clusterIdentity().frame(FrameType.ADDRESS, body);
    out.put(frame, authenticator().seal(frame));
    awaited = FrameType.ADDRESS;
  }

  private void onAddress(Frame frame) throws RejectedException {
    authenticator().check(frame);
    if (identity == null || member == self.clusterIdentity().self()) {
      throw new RejectedException(
          RejectReason.STRANGER, "this member itself; it is not spoken with");
    }
    byte[] address = frame.body();
    peer = new PeerProcess(identity, address.length == 0 ? null : name(address));
    awaited = null;
  }

  private byte sealing() {
    return (byte) (self.keyring().isSealing() ? 1 : 0);
  }

  private byte[] ownIdentity() {
    return self.peer().identity().getBytes(StandardCharsets.UTF_8);
  }

  /** Names reach logs and status pages, so nothing but text may pass. */
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
      throw new RejectedException(RejectReason.MALFORMED, "a name that is no text");
    }
  }

  /** Says that what came on a connection failed a check, so that the connection has to end. */
  static final class RejectedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final RejectReason why;
    private final @Nullable String other;

    RejectedException(RejectReason why, String detail) {
      this(why, detail, null);
    }

    /** Because of another process, which the refused one may know of. */
    RejectedException(RejectReason why, String detail, @Nullable String other) {
      super(detail, null, false, false); // Anyone can cause it: it must cost no stack trace.
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
