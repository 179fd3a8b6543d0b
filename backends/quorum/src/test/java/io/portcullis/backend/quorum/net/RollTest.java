package io.portcullis.backend.quorum.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RollTest {
  private static final Peer PEER = new Peer("b", null);
  private static final Receiver DEAF = new Node.Silence();

  private final Roll roll = new Roll(2);
  private final List<Link> links = new ArrayList<>();
  private Selector selector;

  @BeforeEach
  void open() throws IOException {
    selector = Selector.open();
  }

  @AfterEach
  void close() throws IOException {
    links.forEach(Link::close);
    selector.close();
  }

  @Test
  void untilSomethingIsHeardTheNewestLinkIsSpokenOn() throws IOException {
    Link first = link();
    Link second = link();

    assertThat(roll.liveliest(1)).isSameAs(second).isNotSameAs(first);
  }

  @Test
  void anAnswerGoesOverTheLinkThatBroughtTheQuestion() throws IOException {
    Link first = link();
    Link second = link();

    roll.heard(first);
    assertThat(roll.liveliest(1)).isSameAs(first);
    roll.heard(second);
    assertThat(roll.liveliest(1)).isSameAs(second);
  }

  @Test
  void aLinkThatHasEndedIsNotSpokenOnAgain() throws IOException {
    Link first = link();
    Link second = link();
    boolean last = roll.remove(first, DEAF);

    roll.heard(first);

    assertThat(last).isFalse();
    assertThat(roll.liveliest(1)).isSameAs(second);
  }

  private Link link() throws IOException {
    Self self =
        Self.of(Node.config(List.of(Node.member("n0", 7400), Node.member("n1", 7401)), 0, "a"));
    SocketChannel channel = SocketChannel.open();
    channel.configureBlocking(false);
    SelectionKey key = channel.register(selector, 0);
    Link link =
        new Link(
            key,
            new PlainWire(channel),
            self,
            Handshake.dialling(self, 1),
            new Traffic(),
            "n1",
            Node.PATIENCE.toNanos());
    links.add(link);
    assertThat(roll.add(link, PEER, DEAF)).isEmpty();
    return link;
  }
}
