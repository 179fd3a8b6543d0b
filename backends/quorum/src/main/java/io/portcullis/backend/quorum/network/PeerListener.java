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
 * Accepts connections and limits those that have not completed their handshake.
 *
 * <p>At most {@link NetworkLimits#MAX_UNAUTHENTICATED} connections may be unauthenticated; a
 * further one closes the oldest. A client that opens many idle connections therefore can't lock out
 * a member, whose handshake takes milliseconds.
 */
final class PeerListener {
  private final ServerSocketChannel channel;
  private final SelectionKey key;
  private final Set<PeerConnection> unauthenticated = new LinkedHashSet<>();
  private boolean paused;
  private long resumeAtNanos;

  /** Handles accepted connections. */
  interface AcceptHandler {
    PeerConnection accept(SocketChannel connection) throws IOException;

    /** Closes the oldest unauthenticated connection because there are too many. */
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
      channel.bind(resolved(address));
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

  private static InetSocketAddress resolved(InetSocketAddress address) throws IOException {
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

  /** Accepts waiting connections, up to a limit, so that established ones are not starved. */
  void accept(AcceptHandler handler, ThrottledWarnings warnings, long nowNanos) {
    try {
      for (int i = 0; i < NetworkLimits.MAX_ACCEPTS_PER_TURN; i++) {
        SocketChannel connection = channel.accept();
        if (connection == null) {
          return;
        }
        admit(connection, handler);
      }
    } catch (IOException e) {
      // Usually the system has no socket left: an immediate retry would only use CPU time.
      warnings.cannotAccept(e.toString(), nowNanos);
      key.interestOps(0);
      paused = true;
      resumeAtNanos = nowNanos + NetworkLimits.ACCEPT_PAUSE_NANOS;
    }
  }

  private void admit(SocketChannel connection, AcceptHandler handler) {
    try {
      unauthenticated.add(handler.accept(connection));
    } catch (IOException e) {
      @Nullable IOException unused = QuietClose.quietly(connection); // The client has closed it.
    }
    if (unauthenticated.size() > NetworkLimits.MAX_UNAUTHENTICATED) {
      PeerConnection oldest = unauthenticated.iterator().next();
      unauthenticated.remove(oldest);
      handler.tooMany(oldest);
    }
  }

  /** The connection is authenticated or closed, so it no longer counts towards the limit. */
  void forget(PeerConnection connection) {
    unauthenticated.remove(connection);
  }

  /** Resumes accepting after a pause; returns for how long no further call is needed. */
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
