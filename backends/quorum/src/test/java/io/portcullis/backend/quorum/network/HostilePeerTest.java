package io.portcullis.backend.quorum.network;

import static io.portcullis.election.contract.TestTimeouts.MAX_WAIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.backend.quorum.network.Frame.FrameType;
import io.portcullis.backend.quorum.network.NetworkConfig.MemberEndpoint;
import io.portcullis.servers.LoopbackPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests attackers that connect to a node which has a connection with an honest member. */
@Tag("slow")
class HostilePeerTest {
  private static final String SECRET = "0123456789abcdef";
  private static final long SEED = 20240917;

  private List<MemberEndpoint> members = List.of();
  private InterceptingProxy proxy;
  private NetworkNodeFixture honest;
  private NetworkNodeFixture victim;

  @BeforeEach
  void open() throws IOException {
    int port = LoopbackPort.free();
    proxy = InterceptingProxy.to(port);
    // Member a listens on another port than listed, so the only connection is through the proxy.
    members =
        List.of(
            NetworkNodeFixture.member("a", LoopbackPort.free()),
            NetworkNodeFixture.member("b", proxy.port()),
            NetworkNodeFixture.member("c", LoopbackPort.free()));
    honest =
        NetworkNodeFixture.open(
            NetworkNodeFixture.listeningAt(NetworkNodeFixture.config(members, 0, "a", SECRET), 0));
    victim =
        NetworkNodeFixture.open(
            NetworkNodeFixture.listeningAt(
                NetworkNodeFixture.config(members, 1, "b", SECRET), port));
    await().atMost(MAX_WAIT).until(() -> honest.isLinkedWith(1) && victim.isLinkedWith(0));
    honest.send(1, "first");
    victim.send(0, "answer");
    await()
        .atMost(MAX_WAIT)
        .until(() -> victim.messages.size() == 1 && honest.messages.size() == 1);
  }

  @AfterEach
  void close() throws IOException {
    try (InterceptingProxy last = proxy;
        NetworkNodeFixture second = victim;
        NetworkNodeFixture first = honest) {
      assertThat(first.traffic()).isNotSameAs(second.traffic());
      assertThat(last.connections).isNotEmpty();
    }
  }

  private void assertHonestConnectionWorks() {
    honest.send(1, "still here");
    await().atMost(MAX_WAIT).until(() -> victim.messages.size() > 1);
    assertThat(victim.messages).containsExactly("0:first", "0:still here");
    assertThat(victim.events).containsExactly("linked 0 a");
  }

  private long refused() {
    return Arrays.stream(RejectReason.values()).mapToLong(victim.traffic()::refused).sum();
  }

  @Test
  void randomBytesAreRejected() throws Exception {
    Random random = new Random(SEED);
    for (int i = 0; i < 300; i++) {
      byte[] randomBytes = new byte[3 + random.nextInt(400)];
      random.nextBytes(randomBytes);
      randomBytes[0] = (byte) random.nextInt(2); // Otherwise nearly all would just be too long.
      randomBytes[1] |= (byte) 0x80;
      try (Socket socket = RawFrames.connect(victim.port())) {
        RawFrames.write(socket, randomBytes);
        if (randomBytes[0] != 0 || randomBytes[2] != ClusterIdentity.VERSION) {
          assertThat(RawFrames.isClosedByPeer(socket)).as("seed %d round %d", SEED, i).isTrue();
        }
      }
    }

    assertThat(victim.traffic().refused(RejectReason.TOO_LONG)).isPositive();
    assertThat(victim.traffic().refused(RejectReason.VERSION)).isPositive();
    assertHonestConnectionWorks();
  }

  @Test
  void alteredHandshakeFramesAreRejected() throws Exception {
    List<byte[]> recordedFrames = recordedFromDialer();
    Random random = new Random(SEED);
    int rounds = 300;
    long before = refused();
    for (int i = 0; i < rounds; i++) {
      byte[] frame = recordedFrames.get(random.nextInt(recordedFrames.size())).clone();
      for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
        frame[2 + random.nextInt(frame.length - 2)] ^= (byte) (1 << random.nextInt(8));
      }
      try (Socket socket = RawFrames.connect(victim.port())) {
        byte[] unused = RawFrames.read(socket);
        RawFrames.write(socket, frame);
        assertThat(RawFrames.isClosedByPeer(socket)).as("seed %d round %d", SEED, i).isTrue();
      }
    }

    await().atMost(MAX_WAIT).until(() -> refused() + rejectedByPeers() - before == rounds);
    assertThat(victim.traffic().refused(RejectReason.SEAL)).isPositive();
    assertThat(victim.traffic().refused(RejectReason.CLUSTER)).isPositive();
    assertThat(victim.traffic().refused(RejectReason.LIST)).isPositive();
    assertHonestConnectionWorks();
  }

  private long rejectedByPeers() {
    return Arrays.stream(RejectReason.values()).mapToLong(victim.traffic()::refusedByPeers).sum();
  }

  @Test
  void excessiveFrameLengthIsRejectedBeforeItsContent() throws Exception {
    for (int length : new int[] {NetworkLimits.MAX_FRAME_BYTES + 1, 0x7fff, 0x8000, 0xffff}) {
      try (Socket socket = RawFrames.connect(victim.port())) {
        RawFrames.write(socket, new byte[] {(byte) (length >> 8), (byte) length});
        assertThat(RawFrames.isClosedByPeer(socket)).isTrue();
      }
    }

    assertThat(victim.traffic().refused(RejectReason.TOO_LONG)).isEqualTo(4);
    assertHonestConnectionWorks();
  }

  @Test
  void truncatedFrameTimesOutWithTheHandshake() throws Exception {
    byte[] hello = recordedFromDialer().get(0);
    try (Socket socket = RawFrames.connect(victim.port())) {
      RawFrames.write(socket, Arrays.copyOf(hello, hello.length - 1));

      assertThat(RawFrames.isClosedByPeer(socket)).isTrue();
    }
    assertThat(victim.traffic().refused(RejectReason.TIMEOUT)).isEqualTo(1);
    assertHonestConnectionWorks();
  }

  @Test
  void replayedConnectionIsRejectedAtItsHello() throws Exception {
    List<byte[]> recordedFrames = recordedFromDialer();
    try (Socket socket = RawFrames.connect(victim.port())) {
      byte[] unused = RawFrames.read(socket);
      // The hello alone at first: a later frame's refusal would hide a welcome that is still
      // queued.
      RawFrames.write(socket, recordedFrames.get(0));
      assertThat(RawFrames.type(RawFrames.read(socket))).isEqualTo(FrameType.REFUSAL);

      RawFrames.write(
          socket, recordedFrames.subList(1, recordedFrames.size()).toArray(byte[][]::new));
      assertThat(RawFrames.isClosedByPeer(socket)).isTrue();
    }

    assertThat(victim.traffic().refused(RejectReason.SEAL)).isEqualTo(1);
    assertHonestConnectionWorks();
  }

  @Test
  void replayedAcceptorIsRejectedAtItsWelcome() throws Exception {
    List<byte[]> recordedFrames = recordedFromAcceptor();
    try (ServerSocket impostor =
        new ServerSocket(members.get(2).port(), 5, InetAddress.getLoopbackAddress())) {
      Socket connection = impostor.accept();
      try (connection) {
        // The recorded acceptor was b; to pose as c it can only change bytes that no MAC covers.
        byte[] greeting = recordedFrames.get(0).clone();
        greeting[RawFrames.SENDER_OFFSET] = 2;
        byte[] welcome = recordedFrames.get(1).clone();
        welcome[RawFrames.SENDER_OFFSET] = 2;
        RawFrames.write(connection, greeting, welcome);
        assertThat(RawFrames.isClosedByPeer(connection)).isTrue();
      }
    }

    await()
        .atMost(MAX_WAIT)
        .until(
            () ->
                victim.traffic().refused(RejectReason.SEAL)
                        + honest.traffic().refused(RejectReason.SEAL)
                    > 0);
    assertThat(victim.peers).doesNotContainKey(2);
    assertThat(honest.peers).doesNotContainKey(2);
    assertHonestConnectionWorks();
  }

  @Test
  void helloForOneMemberCannotBeRelayedToAnother() throws Exception {
    try (ServerSocket relay =
        new ServerSocket(members.get(2).port(), 5, InetAddress.getLoopbackAddress())) {
      boolean relayed = false;
      while (!relayed) {
        try (Socket connection = relay.accept();
            Socket toVictim = RawFrames.connect(victim.port())) {
          byte[] greeting = RawFrames.read(toVictim);
          greeting[RawFrames.SENDER_OFFSET] = 2; // The relay poses as c, with the nonce of b.
          RawFrames.write(connection, greeting);
          byte[] hello = RawFrames.read(connection);
          RawFrames.write(toVictim, hello);
          relayed = hello[RawFrames.SENDER_OFFSET] == 0;
          assertThat(RawFrames.type(hello)).isEqualTo(FrameType.HELLO);
          assertThat(RawFrames.type(RawFrames.read(toVictim))).isEqualTo(FrameType.REFUSAL);
        }
      }
    }

    assertThat(victim.traffic().refused(RejectReason.STRANGER)).isPositive();
    assertHonestConnectionWorks();
  }

  @Test
  void rejectedPeerThatKeepsSendingIsDisconnected() throws Exception {
    try (Socket socket = RawFrames.connect(victim.port())) {
      RawFrames.write(socket, new byte[] {-1, -1});
      await()
          .atMost(MAX_WAIT)
          .until(
              () -> {
                try {
                  RawFrames.write(socket, new byte[1024]);
                  return false;
                } catch (IOException e) {
                  return true;
                }
              });
    }

    assertThat(victim.traffic().refused(RejectReason.TOO_LONG)).isEqualTo(1);
    assertHonestConnectionWorks();
  }

  @Test
  void rejectedPeerReceivesTheReasonBeforeAnyReset() throws Exception {
    try (Socket socket = RawFrames.connect(victim.port())) {
      RawFrames.write(socket, new byte[] {-1, -1});
      await().atMost(MAX_WAIT).until(() -> victim.traffic().refused(RejectReason.TOO_LONG) == 1);
      long before = victim.traffic().bytesReceived();
      RawFrames.write(socket, new byte[1000]);

      await().atMost(MAX_WAIT).until(() -> victim.traffic().bytesReceived() >= before + 1000);
      assertThat(RawFrames.type(RawFrames.read(socket))).isEqualTo(FrameType.GREETING);
      assertThat(RawFrames.type(RawFrames.read(socket))).isEqualTo(FrameType.REFUSAL);
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
    assertHonestConnectionWorks();
  }

  @Test
  void thousandHalfOpenConnectionsDoNotBlockMembers() throws Exception {
    // Besides: one just accepted, up to two each with the honest member and c, and one dialed to c.
    long maxConnections =
        NetworkLimits.MAX_UNAUTHENTICATED + 1 + 2 * NetworkLimits.MAX_LINKS_PER_MEMBER + 1;
    List<Socket> idle = new ArrayList<>();
    try {
      for (int i = 0; i < 1000; i++) {
        idle.add(RawFrames.connect(victim.port()));
        assertThat(victim.traffic().connections()).isLessThanOrEqualTo(maxConnections);
      }
      await()
          .atMost(MAX_WAIT)
          .until(
              () ->
                  victim.traffic().refused(RejectReason.TOO_MANY)
                      >= 1000 - 2 * NetworkLimits.MAX_UNAUTHENTICATED);
      assertHonestConnectionWorks();

      try (NetworkNodeFixture lateMember =
          NetworkNodeFixture.open(NetworkNodeFixture.config(members, 2, "c", SECRET))) {
        await().atMost(MAX_WAIT).until(() -> lateMember.isLinkedWith(1));
      }
      assertThat(victim.traffic().connections()).isLessThanOrEqualTo(maxConnections);
    } finally {
      for (Socket socket : idle) {
        socket.close();
      }
    }
  }

  @Test
  void otherProtocolVersionIsRejectedWithReason() throws Exception {
    byte[] hello = recordedFromDialer().get(0);
    hello[RawFrames.VERSION_OFFSET] = 2;
    try (Socket socket = RawFrames.connect(victim.port())) {
      byte[] unused = RawFrames.read(socket);
      RawFrames.write(socket, hello);
      byte[] answer = RawFrames.read(socket);

      assertThat(RawFrames.type(answer)).isEqualTo(FrameType.REFUSAL);
      assertThat(answer[answer.length - 1]).isEqualTo((byte) RejectReason.VERSION.code());
      assertThat(RawFrames.isClosedByPeer(socket)).isTrue();
    }
    assertThat(victim.traffic().refused(RejectReason.VERSION)).isEqualTo(1);
    assertHonestConnectionWorks();
  }

  @Test
  void forgedRefusalIsOnlyCounted() throws Exception {
    byte[] refusal =
        new ClusterIdentity(NetworkNodeFixture.CLUSTER, members, 0)
            .frame(FrameType.REFUSAL, new byte[] {(byte) 5});
    try (Socket socket = RawFrames.connect(victim.port())) {
      RawFrames.write(socket, new byte[] {0, (byte) refusal.length}, refusal);
      assertThat(RawFrames.isClosedByPeer(socket)).isTrue();
    }

    assertThat(victim.traffic().refusedByPeers(RejectReason.LIST)).isEqualTo(1);
    assertThat(refused()).isZero();
    assertHonestConnectionWorks();
  }

  /** The frames that the honest dialer has sent on its connection so far. */
  private List<byte[]> recordedFromDialer() {
    return RawFrames.split(proxy.links().get(0).sentByDialer());
  }

  /** The frames that the victim has sent on that connection so far. */
  private List<byte[]> recordedFromAcceptor() {
    return RawFrames.split(proxy.links().get(0).sentByAcceptor());
  }
}
