package io.portcullis.backend.quorum.network;

import io.portcullis.backend.quorum.network.ConnectionManager.QuietClose;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where the others call, and those callers who have not proven yet who they are.
 *
 * <p>Of these there are never more than {@link NetworkLimits#MAX_UNAUTHENTICATED}: one more closes
 * the oldest. So whoever fills the places with idle connections can't keep out a member, whose
 * handshake takes milliseconds.
 */
final class PeerListener {
  private final ServerSocketChannel channel;
  private final SelectionKey key;
  private final Set<PeerConnection> unproven = new LinkedHashSet<>();
  private boolean paused;
  private long resumeAtNanos;

  /** What becomes of a connection that was accepted. */
  interface AcceptHandler {
    PeerConnection accept(SocketChannel connection) throws IOException;

    /** There are too many who have proven nothing, and this one is the oldest. */
    void tooMany(PeerConnection oldest);
  }

  private PeerListener(ServerSocketChannel channel, SelectionKey key) {
    this.channel = channel;
    this.key = key;
  }

  static PeerListener open(InetSocketAddress address, Selector selector) throws IOException {
    ServerSocketChannel channel = ServerSocketChannel.open();
    try {
      channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      channel.bind(lookedUp(address));
      channel.configureBlocking(false);
      return new PeerListener(channel, channel.register(selector, SelectionKey.OP_ACCEPT));
    } catch (IOException e) {
      @Nullable IOException unused = QuietClose.quietly(channel);
      throw new IOException(
          "can't listen on "
              + address.getHostString()
              + ":"
              + address.getPort()
              + ": "
              + e.getMessage(),
          e);
    }
  }

  private static InetSocketAddress lookedUp(InetSocketAddress address) throws IOException {
    if (!address.isUnresolved()) {
      return address;
    }
    InetAddress found;
    try {
      found = InetAddress.getAllByName(address.getHostString())[0];
    } catch (UnknownHostException e) {
      throw new IOException("unknown host", e);
    }
    return new InetSocketAddress(found, address.getPort());
  }

  int port() throws IOException {
    return ((InetSocketAddress) channel.getLocalAddress()).getPort();
  }

  boolean owns(SelectionKey selected) {
    return selected == key;
  }

  /** Takes those who called, up to a bound, so that links have their turn too. */
  void accept(AcceptHandler accepting, ThrottledWarnings complaints, long nowNanos) {
    try {
      for (int i = 0; i < NetworkLimits.MAX_ACCEPTS_PER_TURN; i++) {
        SocketChannel connection = channel.accept();
        if (connection == null) {
          return;
        }
        admit(connection, accepting);
      }
    } catch (IOException e) {
      // Mostly the system has no socket left: asking again at once would only burn the processor.
      complaints.cannotAccept(e.toString(), nowNanos);
      key.interestOps(0);
      paused = true;
      resumeAtNanos = nowNanos + NetworkLimits.ACCEPT_PAUSE_NANOS;
    }
  }

  private void admit(SocketChannel connection, AcceptHandler accepting) {
    try {
      unproven.add(accepting.accept(connection));
    } catch (IOException e) {
      @Nullable IOException unused = QuietClose.quietly(connection); // It was gone again.
    }
    if (unproven.size() > NetworkLimits.MAX_UNAUTHENTICATED) {
      PeerConnection oldest = unproven.iterator().next();
      unproven.remove(oldest);
      accepting.tooMany(oldest);
    }
  }

  /** This link has proven who it is, or ended. */
  void forget(PeerConnection link) {
    unproven.remove(link);
  }

  /** Goes on accepting after a pause, and says how long it will need no turn. */
  long turn(long nowNanos) {
    if (paused && nowNanos - resumeAtNanos >= 0) {
      paused = false;
      key.interestOps(SelectionKey.OP_ACCEPT);
    }
    return paused ? resumeAtNanos - nowNanos : Long.MAX_VALUE;
  }

  void close() {
    @Nullable IOException unused = QuietClose.quietly(channel);
  }
}
