package io.portcullis.backend.quorum.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.backend.quorum.network.ByteTransport.PlainTransport;
import io.portcullis.backend.quorum.network.Network.MessageReceiver;
import io.portcullis.backend.quorum.network.Network.PeerProcess;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LinkTableTest {
  private static final PeerProcess PEER = new PeerProcess("b", null);
  private static final MessageReceiver IGNORING = new NetworkNodeFixture.IgnoringReceiver();

  private final LinkTable table = new LinkTable(2);
  private final List<PeerConnection> links = new ArrayList<>();
  private Selector selector;

  @BeforeEach
  void open() throws IOException {
    selector = Selector.open();
  }

  @AfterEach
  void close() throws IOException {
    links.forEach(PeerConnection::close);
    selector.close();
  }

  @Test
  void newestConnectionIsUsedBeforeAnyMessage() throws IOException {
    PeerConnection first = link();
    PeerConnection second = link();

    assertThat(table.liveliest(1)).isSameAs(second).isNotSameAs(first);
  }

  @Test
  void responseUsesTheConnectionOfTheRequest() throws IOException {
    PeerConnection first = link();
    PeerConnection second = link();

    table.markReceived(first);
    assertThat(table.liveliest(1)).isSameAs(first);
    table.markReceived(second);
    assertThat(table.liveliest(1)).isSameAs(second);
  }

  @Test
  void closedConnectionIsNotUsedAgain() throws IOException {
    PeerConnection first = link();
    PeerConnection second = link();
    boolean last = table.remove(first, IGNORING);

    table.markReceived(first);

    assertThat(last).isFalse();
    assertThat(table.liveliest(1)).isSameAs(second);
  }

  private PeerConnection link() throws IOException {
    LocalPeer self =
        LocalPeer.of(
            NetworkNodeFixture.config(
                List.of(
                    NetworkNodeFixture.member("n0", 7400), NetworkNodeFixture.member("n1", 7401)),
                0,
                "a"));
    SocketChannel channel = SocketChannel.open();
    channel.configureBlocking(false);
    SelectionKey key = channel.register(selector, 0);
    PeerConnection link =
        new PeerConnection(
            key,
            new PlainTransport(channel),
            self,
            Handshake.dialling(self, 1),
            new NetworkStats(),
            "n1",
            NetworkNodeFixture.RESPONSE_TIMEOUT.toNanos());
    links.add(link);
    assertThat(table.add(link, PEER, IGNORING)).isEmpty();
    return link;
  }
}
