package io.portcullis.backend.quorum.network;

import static io.portcullis.election.contract.AwaitConditions.LONG;
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
class EavesdropTest {
  private static final String SECRET = "0123456789abcdef";

  /** With the scheme that is put before it, the longest address. */
  private static final String MAX_LENGTH = "x".repeat(NetworkLimits.NAME - "http://".length());

  private TrafficRecorder tap;
  private NetworkNodeFixture dialler;
  private NetworkNodeFixture acceptor;

  @BeforeEach
  void open() throws IOException {
    int port = LoopbackPort.free();
    tap = TrafficRecorder.to(port);
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
    await().atMost(LONG).until(() -> dialler.isLinkedWith(1) && acceptor.isLinkedWith(0));
  }

  private void exchange(String there, String back) {
    dialler.send(1, there);
    acceptor.send(0, back);
    await()
        .atMost(LONG)
        .until(
            () ->
                acceptor.messages.contains("0:" + there) && dialler.messages.contains("1:" + back));
  }

  @AfterEach
  void close() throws IOException {
    try (TrafficRecorder last = tap;
        NetworkNodeFixture second = acceptor;
        NetworkNodeFixture first = dialler) {
      assertThat(first.traffic()).isNotSameAs(second.traffic());
      assertThat(last.connections).isNotEmpty();
    }
  }

  @Test
  void aRepeatedFrameIsNotDeliveredAndEndsTheLinkWhichThenComesBack() throws Exception {
    exchange("once", "back");
    TrafficRecorder.Wiretap first = tap.links().get(0);
    byte[] message = last(first.sentByDialler());

    first.injectToAcceptor(message);

    await().atMost(LONG).until(() -> acceptor.traffic().refused(RejectReason.SEAL) == 1);
    await().atMost(LONG).until(() -> acceptor.events.size() == 3 && acceptor.isLinkedWith(0));
    await().atMost(LONG).until(() -> tap.links().size() > 1 && dialler.isLinkedWith(1));
    exchange("twice", "again");
    assertThat(acceptor.messages).containsExactly("0:once", "0:twice");
  }

  @Test
  void aFrameOfAnEarlierLinkIsNotTakenOnALaterOne() throws Exception {
    exchange("early", "back");
    byte[] early = last(tap.links().get(0).sentByDialler());
    tap.links().get(0).close();
    await().atMost(LONG).until(() -> acceptor.events.size() == 3 && acceptor.isLinkedWith(0));
    await().atMost(LONG).until(() -> tap.links().size() == 2);

    // The numbers agree: it was the first message there and would be the first here.
    tap.links().get(1).injectToAcceptor(early);

    await().atMost(LONG).until(() -> acceptor.traffic().refused(RejectReason.SEAL) == 1);
    assertThat(acceptor.messages).containsExactly("0:early");
  }

  @Test
  void aReflectedFrameIsNotDelivered() throws Exception {
    exchange("there", "back");
    byte[] own = last(tap.links().get(0).sentByDialler());

    tap.links().get(0).injectToDialler(own);

    await().atMost(LONG).until(() -> dialler.traffic().refused(RejectReason.STRANGER) == 1);
    assertThat(dialler.messages).containsExactly("1:back");
  }

  @Test
  void aReflectedFrameUnderAnotherNameIsNotDeliveredEither() throws Exception {
    exchange("there", "back");
    byte[] own = last(tap.links().get(0).sentByDialler());
    own[Frames.SENDER_AT] = 1;

    tap.links().get(0).injectToDialler(own);

    await().atMost(LONG).until(() -> dialler.traffic().refused(RejectReason.SEAL) == 1);
    assertThat(dialler.messages).containsExactly("1:back");
  }

  @Test
  void anUnsealedRefusalDoesNotEndALiveLinkWithoutBeingCounted() throws Exception {
    byte[] greeting = Frames.split(tap.links().get(0).sentByAcceptor()).get(0);
    greeting[1 + NetworkLimits.HEADER] = FrameType.REFUSAL.code();

    tap.links().get(0).injectToDialler(greeting);

    await().atMost(LONG).until(() -> dialler.traffic().refused(RejectReason.SEAL) == 1);
    await().atMost(LONG).until(() -> dialler.events.size() == 3 && dialler.isLinkedWith(1));
  }

  @Test
  void everyFrameStaysUnderTwoHundredBytes() throws Exception {
    exchange("y".repeat(NetworkLimits.PAYLOAD), "z".repeat(NetworkLimits.PAYLOAD));

    TrafficRecorder.Wiretap link = tap.links().get(0);
    assertThat(Frames.split(link.sentByDialler()))
        .extracting(Frames::kind)
        .contains(FrameType.HELLO, FrameType.ADDRESS, FrameType.MESSAGE);
    assertThat(Frames.split(link.sentByAcceptor()))
        .extracting(Frames::kind)
        .contains(FrameType.GREETING, FrameType.WELCOME, FrameType.ADDRESS, FrameType.MESSAGE);
    assertThat(Frames.split(link.sentByDialler()))
        .allSatisfy(frame -> assertThat(frame).hasSizeLessThan(200));
    assertThat(Frames.split(link.sentByAcceptor()))
        .allSatisfy(frame -> assertThat(frame).hasSizeLessThan(200));
    assertThat(NetworkLimits.LENGTH_FIELD + NetworkLimits.FRAME).isLessThan(200);
  }

  /** The last message in a stream: pings and pongs come when they like. */
  private static byte[] last(byte[] stream) {
    List<byte[]> messages =
        Frames.split(stream).stream()
            .filter(frame -> Frames.kind(frame) == FrameType.MESSAGE)
            .toList();
    return messages.get(messages.size() - 1);
  }
}
