package io.portcullis.backend.quorum.network;

import io.portcullis.backend.quorum.network.Handshake.RejectedException;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The end of all links: what is queued goes, then the other side is told that this was all, and is
 * waited for. A connection that is closed while bytes of the other side are unread is reset, and a
 * reset throws away what the other side has not read yet: a hand-over would be lost.
 */
final class GracefulClose {
  private static final PeerConnection.ConnectionListener NO_INPUT =
      new PeerConnection.ConnectionListener() {
        @Override
        public void named(PeerConnection link, String identity) {
          throw new AssertionError("a link that leaves reads nothing");
        }

        @Override
        public void up(PeerConnection link, PeerProcess peer) {
          throw new AssertionError("a link that leaves reads nothing");
        }

        @Override
        public void message(PeerConnection link, byte[] payload) {
          throw new AssertionError("a link that leaves reads nothing");
        }

        @Override
        public void refusedBy(PeerConnection link, RejectReason why, @Nullable String other) {
          throw new AssertionError("a link that leaves reads nothing");
        }
      };

  private final Selector selector;
  private final Set<PeerConnection> left = new HashSet<>();

  GracefulClose(Selector selector, Collection<PeerConnection> links) {
    this.selector = selector;
    for (PeerConnection link : links) {
      if (link.isUp()) {
        left.add(link);
      } else {
        link.close();
      }
    }
  }

  void closeAll() throws IOException {
    long endNanos = System.nanoTime() + NetworkLimits.MAX_CLOSE_NANOS;
    for (PeerConnection link : Set.copyOf(left)) {
      attempt(link, link::leave);
    }
    long restNanos = NetworkLimits.MAX_CLOSE_NANOS;
    while (!left.isEmpty() && restNanos > 0) {
      selector.select(TimeUnit.NANOSECONDS.toMillis(restNanos) + 1);
      for (SelectionKey key : selector.selectedKeys()) {
        if (key.attachment() instanceof PeerConnection link && link.isOpen()) {
          attempt(link, () -> link.serve(NO_INPUT));
        }
      }
      selector.selectedKeys().clear();
      restNanos = endNanos - System.nanoTime();
    }
  }

  private interface Step {
    void run() throws IOException, RejectedException;
  }

  private void attempt(PeerConnection link, Step step) {
    try {
      step.run();
    } catch (IOException | RejectedException e) {
      link.close(); // The other side has closed too, which is what was waited for.
      left.remove(link);
    }
  }
}
