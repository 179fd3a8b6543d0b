package io.portcullis.backend.quorum.network;

import static io.portcullis.election.contract.TestTimeouts.MAX_WAIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.backend.quorum.network.Frame.FrameType;
import io.portcullis.backend.quorum.network.NetworkConfig.MemberEndpoint;
import io.portcullis.servers.LoopbackPort;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests an attacker who controls the only connection between two members. */
class ManInTheMiddleTest {
  private static final String SECRET = "0123456789abcdef";

  /** The longest name; with the scheme in front, also the longest address. */
  private static final String MAX_LENGTH_NAME =
      "x".repeat(NetworkLimits.MAX_NAME_BYTES - "http://".length());

  private InterceptingProxy proxy;
  private NetworkNodeFixture dialer;
  private NetworkNodeFixture acceptor;

  @BeforeEach
  void open() throws IOException {
    int port = LoopbackPort.free();
    proxy = InterceptingProxy.to(port);
    List<MemberEndpoint> members =
        List.of(
            NetworkNodeFixture.member("a", LoopbackPort.free()),
            NetworkNodeFixture.member("b", proxy.port()));
    dialer =
        NetworkNodeFixture.open(
            NetworkNodeFixture.listeningAt(
                NetworkNodeFixture.config(members, 0, MAX_LENGTH_NAME, SECRET), 0));
    acceptor =
        NetworkNodeFixture.open(
            NetworkNodeFixture.listeningAt(
                NetworkNodeFixture.config(members, 1, MAX_LENGTH_NAME, SECRET), port));
    await().atMost(MAX_WAIT).until(() -> dialer.isLinkedWith(1) && acceptor.isLinkedWith(0));
  }

  private void exchange(String there, String back) {
    dialer.send(1, there);
    acceptor.send(0, back);
    await()
        .atMost(MAX_WAIT)
        .until(
            () ->
                acceptor.messages.contains("0:" + there) && dialer.messages.contains("1:" + back));
  }

  @AfterEach
  void close() throws IOException {
    try (InterceptingProxy last = proxy;
        NetworkNodeFixture second = acceptor;
        NetworkNodeFixture first = dialer) {
      assertThat(first.traffic()).isNotSameAs(second.traffic());
      assertThat(last.connections).isNotEmpty();
    }
  }

  @Test
  void replayedFrameIsDroppedAndTheMembersReconnect() throws Exception {
    exchange("once", "back");
    InterceptingProxy.ProxiedConnection first = proxy.links().get(0);
    byte[] message = last(first.sentByDialer());

    first.injectToAcceptor(message);

    await().atMost(MAX_WAIT).until(() -> acceptor.traffic().refused(RejectReason.SEAL) == 1);
    await().atMost(MAX_WAIT).until(() -> acceptor.events.size() == 3 && acceptor.isLinkedWith(0));
    await().atMost(MAX_WAIT).until(() -> proxy.links().size() > 1 && dialer.isLinkedWith(1));
    exchange("twice", "again");
    assertThat(acceptor.messages).containsExactly("0:once", "0:twice");
  }

  @Test
  void frameOfAnEarlierConnectionIsRejectedOnALaterOne() throws Exception {
    exchange("early", "back");
    byte[] earlyFrame = last(proxy.links().get(0).sentByDialer());
    proxy.links().get(0).close();
    await().atMost(MAX_WAIT).until(() -> acceptor.events.size() == 3 && acceptor.isLinkedWith(0));
    await().atMost(MAX_WAIT).until(() -> proxy.links().size() == 2);

    // The sequence numbers match: it was the first message there and would be the first here.
    proxy.links().get(1).injectToAcceptor(earlyFrame);

    await().atMost(MAX_WAIT).until(() -> acceptor.traffic().refused(RejectReason.SEAL) == 1);
    assertThat(acceptor.messages).containsExactly("0:early");
  }

  @Test
  void reflectedFrameIsNotDelivered() throws Exception {
    exchange("there", "back");
    byte[] ownFrame = last(proxy.links().get(0).sentByDialer());

    proxy.links().get(0).injectToDialer(ownFrame);

    await().atMost(MAX_WAIT).until(() -> dialer.traffic().refused(RejectReason.STRANGER) == 1);
    assertThat(dialer.messages).containsExactly("1:back");
  }

  @Test
  void reflectedFrameWithChangedSenderIsNotDelivered() throws Exception {
    exchange("there", "back");
    byte[] ownFrame = last(proxy.links().get(0).sentByDialer());
    ownFrame[RawFrames.SENDER_OFFSET] = 1;

    proxy.links().get(0).injectToDialer(ownFrame);

    await().atMost(MAX_WAIT).until(() -> dialer.traffic().refused(RejectReason.SEAL) == 1);
    assertThat(dialer.messages).containsExactly("1:back");
  }

  @Test
  void unauthenticatedRefusalIsCountedAndConnectionRestored() throws Exception {
    byte[] greeting = RawFrames.split(proxy.links().get(0).sentByAcceptor()).get(0);
    greeting[1 + NetworkLimits.HEADER_BYTES] = FrameType.REFUSAL.code();

    proxy.links().get(0).injectToDialer(greeting);

    await().atMost(MAX_WAIT).until(() -> dialer.traffic().refused(RejectReason.SEAL) == 1);
    await().atMost(MAX_WAIT).until(() -> dialer.events.size() == 3 && dialer.isLinkedWith(1));
  }

  @Test
  void everyFrameIsShorterThan200Bytes() throws Exception {
    exchange(
        "y".repeat(NetworkLimits.MAX_PAYLOAD_BYTES), "z".repeat(NetworkLimits.MAX_PAYLOAD_BYTES));

    InterceptingProxy.ProxiedConnection link = proxy.links().get(0);
    assertThat(RawFrames.split(link.sentByDialer()))
        .extracting(RawFrames::type)
        .contains(FrameType.HELLO, FrameType.ADDRESS, FrameType.MESSAGE);
    assertThat(RawFrames.split(link.sentByAcceptor()))
        .extracting(RawFrames::type)
        .contains(FrameType.GREETING, FrameType.WELCOME, FrameType.ADDRESS, FrameType.MESSAGE);
    assertThat(RawFrames.split(link.sentByDialer()))
        .allSatisfy(frame -> assertThat(frame).hasSizeLessThan(200));
    assertThat(RawFrames.split(link.sentByAcceptor()))
        .allSatisfy(frame -> assertThat(frame).hasSizeLessThan(200));
    assertThat(NetworkLimits.LENGTH_FIELD_BYTES + NetworkLimits.MAX_FRAME_BYTES).isLessThan(200);
  }

  /** The last message in a stream; pings and pongs arrive at any time. */
  private static byte[] last(byte[] stream) {
    List<byte[]> messages =
        RawFrames.split(stream).stream()
            .filter(frame -> RawFrames.type(frame) == FrameType.MESSAGE)
            .toList();
    return messages.get(messages.size() - 1);
  }
}
