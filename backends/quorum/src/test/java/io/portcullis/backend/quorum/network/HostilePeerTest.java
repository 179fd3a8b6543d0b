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

/** Strangers at the port of a node that has an honest link. */
@Tag("slow")
class HostilePeerTest {
  private static final String SECRET = "0123456789abcdef";
  private static final long SEED = 20240917;

  private List<MemberEndpoint> members = List.of();
  private InterceptingProxy tap;
  private NetworkNodeFixture honest;
  private NetworkNodeFixture victim;

  @BeforeEach
  void open() throws IOException {
    int port = LoopbackPort.free();
    tap = InterceptingProxy.to(port);
    // Nobody reaches a where the list says, so that the only link is the one through the tap.
    members =
        List.of(
            NetworkNodeFixture.member("a", LoopbackPort.free()),
            NetworkNodeFixture.member("b", tap.port()),
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
    try (InterceptingProxy last = tap;
        NetworkNodeFixture second = victim;
        NetworkNodeFixture first = honest) {
      assertThat(first.traffic()).isNotSameAs(second.traffic());
      assertThat(last.connections).isNotEmpty();
    }
  }

  private void honestLinkGoesOn() {
    honest.send(1, "still here");
    await().atMost(MAX_WAIT).until(() -> victim.messages.size() > 1);
    assertThat(victim.messages).containsExactly("0:first", "0:still here");
    assertThat(victim.events).containsExactly("linked 0 a");
  }

  private long refused() {
    return Arrays.stream(RejectReason.values()).mapToLong(victim.traffic()::refused).sum();
  }

  @Test
  void randomBytesAreRefused() throws Exception {
    Random random = new Random(SEED);
    for (int i = 0; i < 300; i++) {
      byte[] noise = new byte[3 + random.nextInt(400)];
      random.nextBytes(noise);
      noise[0] = (byte) random.nextInt(2); // Else nearly all would only be too long.
      noise[1] |= (byte) 0x80;
      try (Socket socket = RawFrames.call(victim.port())) {
        RawFrames.write(socket, noise);
        if (noise[0] != 0 || noise[2] != ClusterIdentity.VERSION) {
          assertThat(RawFrames.isEnded(socket)).as("seed %d round %d", SEED, i).isTrue();
        }
      }
    }

    assertThat(victim.traffic().refused(RejectReason.TOO_LONG)).isPositive();
    assertThat(victim.traffic().refused(RejectReason.VERSION)).isPositive();
    honestLinkGoesOn();
  }

  @Test
  void alteredCopiesOfAnHonestHandshakeAreRefused() throws Exception {
    List<byte[]> script = recordedCalls();
    Random random = new Random(SEED);
    int rounds = 300;
    long before = refused();
    for (int i = 0; i < rounds; i++) {
      byte[] frame = script.get(random.nextInt(script.size())).clone();
      for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
        frame[2 + random.nextInt(frame.length - 2)] ^= (byte) (1 << random.nextInt(8));
      }
      try (Socket socket = RawFrames.call(victim.port())) {
        byte[] unused = RawFrames.read(socket);
        RawFrames.write(socket, frame);
        assertThat(RawFrames.isEnded(socket)).as("seed %d round %d", SEED, i).isTrue();
      }
    }

    await().atMost(MAX_WAIT).until(() -> refused() + rejectedByPeers() - before == rounds);
    assertThat(victim.traffic().refused(RejectReason.SEAL)).isPositive();
    assertThat(victim.traffic().refused(RejectReason.CLUSTER)).isPositive();
    assertThat(victim.traffic().refused(RejectReason.LIST)).isPositive();
    honestLinkGoesOn();
  }

  private long rejectedByPeers() {
    return Arrays.stream(RejectReason.values()).mapToLong(victim.traffic()::refusedByPeers).sum();
  }

  @Test
  void anAnnouncedLengthBeyondTheBoundIsRefusedBeforeAnyOfItComes() throws Exception {
    for (int length : new int[] {NetworkLimits.MAX_FRAME_BYTES + 1, 0x7fff, 0x8000, 0xffff}) {
      try (Socket socket = RawFrames.call(victim.port())) {
        RawFrames.write(socket, new byte[] {(byte) (length >> 8), (byte) length});
        assertThat(RawFrames.isEnded(socket)).isTrue();
      }
    }

    assertThat(victim.traffic().refused(RejectReason.TOO_LONG)).isEqualTo(4);
    honestLinkGoesOn();
  }

  @Test
  void aTruncatedFrameIsWaitedForOnlyForTheTimeOfAHandshake() throws Exception {
    byte[] hello = recordedCalls().get(0);
    try (Socket socket = RawFrames.call(victim.port())) {
      RawFrames.write(socket, Arrays.copyOf(hello, hello.length - 1));

      assertThat(RawFrames.isEnded(socket)).isTrue();
    }
    assertThat(victim.traffic().refused(RejectReason.TIMEOUT)).isEqualTo(1);
    honestLinkGoesOn();
  }

  @Test
  void aWholeConnectionPlayedAgainIsRefusedAtItsHello() throws Exception {
    List<byte[]> script = recordedCalls();
    try (Socket socket = RawFrames.call(victim.port())) {
      byte[] unused = RawFrames.read(socket);
      // Alone at first: the refusal of a later frame would hide a welcome that is still queued.
      RawFrames.write(socket, script.get(0));
      assertThat(RawFrames.kind(RawFrames.read(socket))).isEqualTo(FrameType.REFUSAL);

      RawFrames.write(socket, script.subList(1, script.size()).toArray(byte[][]::new));
      assertThat(RawFrames.isEnded(socket)).isTrue();
    }

    assertThat(victim.traffic().refused(RejectReason.SEAL)).isEqualTo(1);
    honestLinkGoesOn();
  }

  @Test
  void anAcceptorPlayedAgainIsRefusedAtItsWelcome() throws Exception {
    List<byte[]> script = recordedAnswers();
    try (ServerSocket impostor =
        new ServerSocket(members.get(2).port(), 5, InetAddress.getLoopbackAddress())) {
      Socket call = impostor.accept();
      try (call) {
        // The recorded acceptor was b; as c it can only change what no seal covers.
        byte[] greeting = script.get(0).clone();
        greeting[RawFrames.SENDER_AT] = 2;
        byte[] welcome = script.get(1).clone();
        welcome[RawFrames.SENDER_AT] = 2;
        RawFrames.write(call, greeting, welcome);
        assertThat(RawFrames.isEnded(call)).isTrue();
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
    honestLinkGoesOn();
  }

  @Test
  void aHelloForOneMemberCanNotBePassedOnToAnother() throws Exception {
    try (ServerSocket between =
        new ServerSocket(members.get(2).port(), 5, InetAddress.getLoopbackAddress())) {
      boolean relayed = false;
      while (!relayed) {
        try (Socket call = between.accept();
            Socket onward = RawFrames.call(victim.port())) {
          byte[] greeting = RawFrames.read(onward);
          greeting[RawFrames.SENDER_AT] = 2; // "I am c", says the one between, with b's nonce.
          RawFrames.write(call, greeting);
          byte[] hello = RawFrames.read(call);
          RawFrames.write(onward, hello);
          relayed = hello[RawFrames.SENDER_AT] == 0;
          assertThat(RawFrames.kind(hello)).isEqualTo(FrameType.HELLO);
          assertThat(RawFrames.kind(RawFrames.read(onward))).isEqualTo(FrameType.REFUSAL);
        }
      }
    }

    assertThat(victim.traffic().refused(RejectReason.STRANGER)).isPositive();
    honestLinkGoesOn();
  }

  @Test
  void whoeverIsRefusedAndGoesOnSendingIsCutOff() throws Exception {
    try (Socket socket = RawFrames.call(victim.port())) {
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
    honestLinkGoesOn();
  }

  @Test
  void rejectedPeerReceivesTheReasonBeforeAnyReset() throws Exception {
    try (Socket socket = RawFrames.call(victim.port())) {
      RawFrames.write(socket, new byte[] {-1, -1});
      await().atMost(MAX_WAIT).until(() -> victim.traffic().refused(RejectReason.TOO_LONG) == 1);
      long before = victim.traffic().bytesReceived();
      RawFrames.write(socket, new byte[1000]);

      await().atMost(MAX_WAIT).until(() -> victim.traffic().bytesReceived() >= before + 1000);
      assertThat(RawFrames.kind(RawFrames.read(socket))).isEqualTo(FrameType.GREETING);
      assertThat(RawFrames.kind(RawFrames.read(socket))).isEqualTo(FrameType.REFUSAL);
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
    honestLinkGoesOn();
  }

  @Test
  void aThousandHalfOpenConnectionsKeepNoMemberOut() throws Exception {
    // Beside them one is just accepted, the honest one and c have a link or two, and c is dialled.
    long most = NetworkLimits.MAX_UNAUTHENTICATED + 1 + 2 * NetworkLimits.MAX_LINKS_PER_MEMBER + 1;
    List<Socket> idle = new ArrayList<>();
    try {
      for (int i = 0; i < 1000; i++) {
        idle.add(RawFrames.call(victim.port()));
        assertThat(victim.traffic().connections()).isLessThanOrEqualTo(most);
      }
      await()
          .atMost(MAX_WAIT)
          .until(
              () ->
                  victim.traffic().refused(RejectReason.TOO_MANY)
                      >= 1000 - 2 * NetworkLimits.MAX_UNAUTHENTICATED);
      honestLinkGoesOn();

      try (NetworkNodeFixture late =
          NetworkNodeFixture.open(NetworkNodeFixture.config(members, 2, "c", SECRET))) {
        await().atMost(MAX_WAIT).until(() -> late.isLinkedWith(1));
      }
      assertThat(victim.traffic().connections()).isLessThanOrEqualTo(most);
    } finally {
      for (Socket socket : idle) {
        socket.close();
      }
    }
  }

  @Test
  void aFrameOfAnotherVersionIsRefusedWithAWord() throws Exception {
    byte[] hello = recordedCalls().get(0);
    hello[RawFrames.VERSION_AT] = 2;
    try (Socket socket = RawFrames.call(victim.port())) {
      byte[] unused = RawFrames.read(socket);
      RawFrames.write(socket, hello);
      byte[] answer = RawFrames.read(socket);

      assertThat(RawFrames.kind(answer)).isEqualTo(FrameType.REFUSAL);
      assertThat(answer[answer.length - 1]).isEqualTo((byte) RejectReason.VERSION.code());
      assertThat(RawFrames.isEnded(socket)).isTrue();
    }
    assertThat(victim.traffic().refused(RejectReason.VERSION)).isEqualTo(1);
    honestLinkGoesOn();
  }

  @Test
  void aForgedRefusalIsCountedAndNothingElse() throws Exception {
    byte[] refusal =
        new ClusterIdentity(NetworkNodeFixture.CLUSTER, members, 0)
            .frame(FrameType.REFUSAL, new byte[] {(byte) 5});
    try (Socket socket = RawFrames.call(victim.port())) {
      RawFrames.write(socket, new byte[] {0, (byte) refusal.length}, refusal);
      assertThat(RawFrames.isEnded(socket)).isTrue();
    }

    assertThat(victim.traffic().refusedByPeers(RejectReason.LIST)).isEqualTo(1);
    assertThat(refused()).isZero();
    honestLinkGoesOn();
  }

  /** What the honest dialler has sent on its link so far. */
  private List<byte[]> recordedCalls() {
    return RawFrames.split(tap.links().get(0).sentByDialler());
  }

  /** What the victim has sent on that link so far. */
  private List<byte[]> recordedAnswers() {
    return RawFrames.split(tap.links().get(0).sentByAcceptor());
  }
}
