package io.portcullis.backend.quorum.network;

import io.portcullis.backend.quorum.network.Handshake.RejectedException;
import io.portcullis.backend.quorum.network.Network.PeerProcess;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes all connections without losing queued messages: sends what is queued, closes the output,
 * and waits until the other side closes too. Closing a socket with unread bytes sends a reset,
 * which discards what the other side has not read yet: a handover message would be lost.
 */
final class GracefulClose {
  private static final PeerConnection.ConnectionListener NO_INPUT =
      new PeerConnection.ConnectionListener() {
        @Override
        public void named(PeerConnection connection, String identity) {
          throw new AssertionError("a closing connection reads nothing");
        }

        @Override
        public void up(PeerConnection connection, PeerProcess peer) {
          throw new AssertionError("a closing connection reads nothing");
        }

        @Override
        public void message(PeerConnection connection, byte[] payload) {
          throw new AssertionError("a closing connection reads nothing");
        }

        @Override
        public void refusedBy(PeerConnection connection, RejectReason why, @Nullable String other) {
          throw new AssertionError("a closing connection reads nothing");
        }
      };

  private final Selector selector;
  private final Set<PeerConnection> open = new HashSet<>();

  GracefulClose(Selector selector, Collection<PeerConnection> connections) {
    this.selector = selector;
    for (PeerConnection connection : connections) {
      if (connection.isUp()) {
        open.add(connection);
      } else {
        connection.close();
      }
    }
  }

  void closeAll() throws IOException {
    long endNanos = System.nanoTime() + NetworkLimits.MAX_CLOSE_NANOS;
    for (PeerConnection connection : Set.copyOf(open)) {
      attempt(connection, connection::closeOutput);
    }
    long leftNanos = NetworkLimits.MAX_CLOSE_NANOS;
    while (!open.isEmpty() && leftNanos > 0) {
      selector.select(TimeUnit.NANOSECONDS.toMillis(leftNanos) + 1);
      for (SelectionKey key : selector.selectedKeys()) {
        if (key.attachment() instanceof PeerConnection connection && connection.isOpen()) {
          attempt(connection, () -> connection.serve(NO_INPUT));
        }
      }
      selector.selectedKeys().clear();
      leftNanos = endNanos - System.nanoTime();
    }
  }

  private interface CloseStep {
    void run() throws IOException, RejectedException;
  }

  private void attempt(PeerConnection connection, CloseStep step) {
    try {
      step.run();
    } catch (IOException | RejectedException e) {
      connection.close(); // The other side has closed too.
      open.remove(connection);
    }
  }
}
