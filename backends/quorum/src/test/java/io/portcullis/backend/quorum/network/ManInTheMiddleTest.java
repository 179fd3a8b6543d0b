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

/** Someone who sits on the only link of two members and can add to it. */
class ManInTheMiddleTest {
  private static final String SECRET = "0123456789abcdef";

  /** With the scheme that is put before it, the longest address. */
  private static final String MAX_LENGTH =
      "x".repeat(NetworkLimits.MAX_NAME_BYTES - "http://".length());

  private InterceptingProxy tap;
  private NetworkNodeFixture dialler;
  private NetworkNodeFixture acceptor;

  @BeforeEach
  void open() throws IOException {
    int port = LoopbackPort.free();
    tap = InterceptingProxy.to(port);
    List<MemberEndpoint> members =
        List.of(
            NetworkNodeFixture.member("a", LoopbackPort.free()),
            NetworkNodeFixture.member("b", tap.port()));
    dialler =
        NetworkNodeFixture.open(
            NetworkNodeFixture.listeningAt(
                NetworkNodeFixture.config(members, 0, MAX_LENGTH, SECRET), 0));
    acceptor =
        NetworkNodeFixture.open(
            NetworkNodeFixture.listeningAt(
                NetworkNodeFixture.config(members, 1, MAX_LENGTH, SECRET), port));
    await().atMost(MAX_WAIT).until(() -> dialler.isLinkedWith(1) && acceptor.isLinkedWith(0));
  }

  private void exchange(String there, String back) {
    dialler.send(1, there);
    acceptor.send(0, back);
    await()
        .atMost(MAX_WAIT)
        .until(
            () ->
                acceptor.messages.contains("0:" + there) && dialler.messages.contains("1:" + back));
  }

  @AfterEach
  void close() throws IOException {
    try (InterceptingProxy last = tap;
        NetworkNodeFixture second = acceptor;
        NetworkNodeFixture first = dialler) {
      assertThat(first.traffic()).isNotSameAs(second.traffic());
      assertThat(last.connections).isNotEmpty();
    }
  }

  @Test
  void aRepeatedFrameIsNotDeliveredAndEndsTheLinkWhichThenComesBack() throws Exception {
    exchange("once", "back");
    InterceptingProxy.ProxiedConnection first = tap.links().get(0);
    byte[] message = last(first.sentByDialler());

    first.injectToAcceptor(message);

    await().atMost(MAX_WAIT).until(() -> acceptor.traffic().refused(RejectReason.SEAL) == 1);
    await().atMost(MAX_WAIT).until(() -> acceptor.events.size() == 3 && acceptor.isLinkedWith(0));
    await().atMost(MAX_WAIT).until(() -> tap.links().size() > 1 && dialler.isLinkedWith(1));
    exchange("twice", "again");
    assertThat(acceptor.messages).containsExactly("0:once", "0:twice");
  }

  @Test
  void aFrameOfAnEarlierLinkIsNotTakenOnALaterOne() throws Exception {
    exchange("early", "back");
    byte[] early = last(tap.links().get(0).sentByDialler());
    tap.links().get(0).close();
    await().atMost(MAX_WAIT).until(() -> acceptor.events.size() == 3 && acceptor.isLinkedWith(0));
    await().atMost(MAX_WAIT).until(() -> tap.links().size() == 2);

    // The numbers agree: it was the first message there and would be the first here.
    tap.links().get(1).injectToAcceptor(early);

    await().atMost(MAX_WAIT).until(() -> acceptor.traffic().refused(RejectReason.SEAL) == 1);
    assertThat(acceptor.messages).containsExactly("0:early");
  }

  @Test
  void aReflectedFrameIsNotDelivered() throws Exception {
    exchange("there", "back");
    byte[] own = last(tap.links().get(0).sentByDialler());

    tap.links().get(0).injectToDialler(own);

    await().atMost(MAX_WAIT).until(() -> dialler.traffic().refused(RejectReason.STRANGER) == 1);
    assertThat(dialler.messages).containsExactly("1:back");
  }

  @Test
  void aReflectedFrameUnderAnotherNameIsNotDeliveredEither() throws Exception {
    exchange("there", "back");
    byte[] own = last(tap.links().get(0).sentByDialler());
    own[RawFrames.SENDER_AT] = 1;

    tap.links().get(0).injectToDialler(own);

    await().atMost(MAX_WAIT).until(() -> dialler.traffic().refused(RejectReason.SEAL) == 1);
    assertThat(dialler.messages).containsExactly("1:back");
  }

  @Test
  void anUnsealedRefusalDoesNotEndALiveLinkWithoutBeingCounted() throws Exception {
    byte[] greeting = RawFrames.split(tap.links().get(0).sentByAcceptor()).get(0);
    greeting[1 + NetworkLimits.HEADER_BYTES] = FrameType.REFUSAL.code();

    tap.links().get(0).injectToDialler(greeting);

    await().atMost(MAX_WAIT).until(() -> dialler.traffic().refused(RejectReason.SEAL) == 1);
    await().atMost(MAX_WAIT).until(() -> dialler.events.size() == 3 && dialler.isLinkedWith(1));
  }

  @Test
  void everyFrameStaysUnderTwoHundredBytes() throws Exception {
    exchange(
        "y".repeat(NetworkLimits.MAX_PAYLOAD_BYTES), "z".repeat(NetworkLimits.MAX_PAYLOAD_BYTES));

    InterceptingProxy.ProxiedConnection link = tap.links().get(0);
    assertThat(RawFrames.split(link.sentByDialler()))
        .extracting(RawFrames::kind)
        .contains(FrameType.HELLO, FrameType.ADDRESS, FrameType.MESSAGE);
    assertThat(RawFrames.split(link.sentByAcceptor()))
        .extracting(RawFrames::kind)
        .contains(FrameType.GREETING, FrameType.WELCOME, FrameType.ADDRESS, FrameType.MESSAGE);
    assertThat(RawFrames.split(link.sentByDialler()))
        .allSatisfy(frame -> assertThat(frame).hasSizeLessThan(200));
    assertThat(RawFrames.split(link.sentByAcceptor()))
        .allSatisfy(frame -> assertThat(frame).hasSizeLessThan(200));
    assertThat(NetworkLimits.LENGTH_FIELD_BYTES + NetworkLimits.MAX_FRAME_BYTES).isLessThan(200);
  }

  /** The last message in a stream: pings and pongs come when they like. */
  private static byte[] last(byte[] stream) {
    List<byte[]> messages =
        RawFrames.split(stream).stream()
            .filter(frame -> RawFrames.kind(frame) == FrameType.MESSAGE)
            .toList();
    return messages.get(messages.size() - 1);
  }
}
