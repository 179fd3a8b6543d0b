package io.portcullis.backend.quorum.network;

import io.portcullis.backend.quorum.network.ByteTransport.PlainTransport;
import io.portcullis.backend.quorum.network.ClusterSecret.Keyring;
import io.portcullis.backend.quorum.network.Frame.FrameType;
import io.portcullis.backend.quorum.network.Handshake.RejectedException;
import io.portcullis.backend.quorum.network.Network.MessageReceiver;
import io.portcullis.backend.quorum.network.Network.PeerProcess;
import io.portcullis.backend.quorum.network.NetworkConfig.PeerCredentials;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Opens, serves, rejects and closes all connections of this node. */
final class ConnectionManager {
  private static final String SLOW = "it started the handshake and did not finish within 2 s";
  private static final String MUTE =
      "it sent nothing within 2 s: is its process stopped or very busy, or TLS on at one side"
          + " only?";

  private final NetworkConfig config;
  private LocalPeer self;
  private PeerCredentials credentials;
  private final Selector selector;
  private final PeerListener listener;
  private final NetworkStats stats;
  private final ThrottledWarnings warnings;
  private final PeerConnector connector;
  private final LinkTable linkTable;
  private final Set<PeerConnection> connections = new LinkedHashSet<>();
  private Set<PeerConnection> unfinished = new LinkedHashSet<>();

  ConnectionManager(
      NetworkConfig config,
      LocalPeer self,
      Selector selector,
      PeerListener listener,
      HostResolver hostResolver,
      NetworkStats stats) {
    this.config = config;
    this.self = self;
    this.credentials = config.credentials().get();
    this.selector = selector;
    this.listener = listener;
    this.stats = stats;
    warnings = new ThrottledWarnings(config.cluster(), config.peer().identity(), stats);
    connector =
        new PeerConnector(
            self.clusterIdentity(), hostResolver, warnings, this::connect, selector::wakeup);
    linkTable = new LinkTable(self.clusterIdentity().size());
  }

  EventLoopTurn turn(MessageReceiver receiver) {
    return new EventLoopTurn(receiver);
  }

  boolean hasCalledSelf() {
    return connector.hasCalledSelf(System.nanoTime());
  }

  void send(int member, byte[] payload) {
    PeerConnection connection = linkTable.liveliest(member);
    if (connection == null || !connection.send(FrameType.MESSAGE, payload)) {
      stats.dropped();
    }
  }

  private void connect(int member, InetSocketAddress address) throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      channel.configureBlocking(false);
      boolean connected = channel.connect(address);
      PeerConnection unused =
          register(
              channel,
              connected ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT,
              Handshake.dialling(currentPeer(), member),
              self.clusterIdentity().member(member)
                  + " ("
                  + address.getAddress().getHostAddress()
                  + ")");
    } catch (IOException e) {
      @Nullable IOException unused = QuietClose.quietly(channel);
      throw e;
    }
  }

  /** Returns this node's handshake data with the current secrets, which may have been replaced. */
  private LocalPeer currentPeer() {
    PeerCredentials now = config.credentials().get();
    if (!now.equals(credentials)) {
      self = self.with(new Keyring(now.secrets()));
      credentials = now;
    }
    return self;
  }

  private PeerConnection register(
      SocketChannel channel, int interest, Handshake handshake, String remote) throws IOException {
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    SSLContext tls = credentials.tls();
    ByteTransport transport =
        tls == null
            ? new PlainTransport(channel)
            : new TlsTransport(channel, tls, handshake.isDialled());
    SelectionKey key = channel.register(selector, interest);
    PeerConnection connection =
        new PeerConnection(
            key, transport, self, handshake, stats, remote, config.responseTimeout().toNanos());
    key.attach(connection);
    connections.add(connection);
    return connection;
  }

  /** Sends what is queued, and waits for a limited time until the other nodes have closed too. */
  void close() throws IOException {
    try {
      new GracefulClose(selector, connections).closeAll();
    } finally {
      connections.forEach(PeerConnection::close);
      connections.clear();
    }
  }

  /** The work of one turn of the event loop, which notifies one receiver. */
  final class EventLoopTurn
      implements PeerConnection.ConnectionListener, PeerListener.AcceptHandler {
    private final MessageReceiver receiver;
    private boolean notified;

    EventLoopTurn(MessageReceiver receiver) {
      this.receiver = receiver;
    }

    boolean hasNotified() {
      return notified;
    }

    /** Sends and dials; returns for how long there is nothing to do unless something arrives. */
    long prepare(long nowNanos) {
      connector.turn(linkTable, nowNanos);
      Set<PeerConnection> readable = unfinished;
      unfinished = new LinkedHashSet<>();
      readable.forEach(this::serve);
      flush();
      long quiet = Math.min(connector.quietNanos(linkTable, nowNanos), listener.turn(nowNanos));
      for (PeerConnection connection : connections) {
        quiet = Math.min(quiet, LinkTimeouts.quietNanos(connection, nowNanos));
      }
      return unfinished.isEmpty() ? quiet : 0;
    }

    void serve(SelectionKey key) {
      if (listener.owns(key)) {
        listener.accept(this, warnings, System.nanoTime());
      } else if (key.attachment() instanceof PeerConnection connection) {
        serve(connection);
      }
    }

    private void serve(PeerConnection connection) {
      if (!connection.isOpen()) {
        return;
      }
      try {
        if (connection.serve(this)) {
          unfinished.add(connection);
        }
      } catch (RejectedException e) {
        refuse(connection, e.why(), String.valueOf(e.getMessage()), e.other());
      } catch (SSLException e) {
        refuse(connection, RejectReason.TLS, String.valueOf(e.getMessage()));
      } catch (IOException e) {
        drop(connection, e.toString());
      }
    }

    /** Closes connections that have timed out, and sends the receiver's responses. */
    void finish(long nowNanos) {
      for (PeerConnection connection : new ArrayList<>(connections)) {
        switch (LinkTimeouts.check(connection, nowNanos)) {
          case FINE -> {}
          case PING -> connection.ping();
          case UNFINISHED ->
              refuse(connection, RejectReason.TIMEOUT, connection.hasReceived() ? SLOW : MUTE);
          case UNANSWERED -> drop(connection, "connecting timed out");
          case SILENT -> {
            stats.silent();
            drop(connection, "nothing was received for " + config.responseTimeout());
          }
          case REJECTED -> drop(connection, connection.rejectedBecause());
        }
      }
      flush();
    }

    private void flush() {
      for (PeerConnection connection : new ArrayList<>(connections)) {
        try {
          connection.flush();
        } catch (SSLException e) {
          refuse(connection, RejectReason.TLS, String.valueOf(e.getMessage()));
        } catch (IOException e) {
          drop(connection, e.toString());
        }
      }
    }

    private void refuse(PeerConnection connection, RejectReason why, String detail) {
      refuse(connection, why, detail, null);
    }

    private void refuse(
        PeerConnection connection, RejectReason why, String detail, @Nullable String other) {
      warnings.refused(connection.remote(), why, detail, System.nanoTime());
      // A connection over the limit gets no reason: it must be closed immediately.
      if (connection.canSendRejection()
          && why != RejectReason.TOO_MANY
          && why != RejectReason.TLS) {
        try {
          connection.refuse(why, detail, other);
          return;
        } catch (IOException e) {
          detail = e.toString();
        }
      }
      drop(connection, detail);
    }

    private void drop(PeerConnection connection, String why) {
      long nowNanos = System.nanoTime();
      connection.close();
      connections.remove(connection);
      listener.forget(connection);
      if (!connection.isUp()) {
        if (connection.handshake().isDialled()) {
          connector.failed(connection.member(), why, linkTable, nowNanos);
        }
      } else if (linkTable.remove(connection, receiver)) {
        notified = true;
        connector.lost(connection.member(), connection.ageNanos(nowNanos), nowNanos);
      }
    }

    @Override
    public PeerConnection accept(SocketChannel channel) throws IOException {
      channel.configureBlocking(false);
      String remote = String.valueOf(channel.getRemoteAddress());
      return register(channel, SelectionKey.OP_READ, Handshake.accepting(currentPeer()), remote);
    }

    @Override
    public void tooMany(PeerConnection oldest) {
      refuse(oldest, RejectReason.TOO_MANY, "more than " + NetworkLimits.MAX_UNAUTHENTICATED);
    }

    @Override
    public void named(PeerConnection connection, String identity)
        throws IOException, RejectedException {
      if (connection.member() != self.clusterIdentity().self()) {
        linkTable.check(connection.member(), identity, System.nanoTime());
        return;
      }
      boolean another = !identity.equals(self.peer().identity());
      if (another && !connection.handshake().isDialled()) {
        String both = "this is " + self.peer().identity() + ", and " + identity + " connects";
        warnings.refused(connection.remote(), RejectReason.DOUBLE, both, System.nanoTime());
      } else if (another) {
        notified = true;
        receiver.duplicateFound(identity);
      }
      if (connection.handshake().isDialled()) {
        throw new EOFException("the check of this node's own address is complete");
      }
    }

    @Override
    public void up(PeerConnection connection, PeerProcess peer) throws RejectedException {
      listener.forget(connection);
      if (connection.handshake().isDialled()) {
        connector.answered(connection.member());
      }
      // Checked again: connections with two processes may be established at the same time.
      linkTable.check(connection.member(), peer.identity(), System.nanoTime());
      notified = true;
      for (PeerConnection old : linkTable.add(connection, peer, receiver)) {
        old.close();
        connections.remove(old);
      }
    }

    @Override
    public void message(PeerConnection connection, byte[] payload) {
      notified = true;
      linkTable.markReceived(connection); // First, so that the response uses the same connection.
      receiver.received(connection.member(), payload);
    }

    @Override
    public void refusedBy(PeerConnection connection, RejectReason why, @Nullable String other) {
      warnings.refusedBy(connection.remote(), why, other, System.nanoTime());
    }
  }

  /** Maximum time of a connection in each of its states. */
  static final class LinkTimeouts {
    private LinkTimeouts() {}

    enum TimeoutState {
      FINE,
      /** A ping is due. */
      PING,
      /** The TCP connection was not established in time. */
      UNANSWERED,
      /** The handshake was not finished in time. */
      UNFINISHED,
      /** The rejected peer has had enough time to read the reason. */
      REJECTED,
      /** The other side does not respond. */
      SILENT
    }

    static TimeoutState check(PeerConnection connection, long nowNanos) {
      if (connection.isUp()) {
        return switch (connection.liveness().check(nowNanos)) {
          case FINE -> TimeoutState.FINE;
          case PING_DUE -> TimeoutState.PING;
          case DEAD -> TimeoutState.SILENT;
        };
      }
      if (quietNanos(connection, nowNanos) > 0) {
        return TimeoutState.FINE;
      }
      if (connection.isClosing()) {
        return TimeoutState.REJECTED;
      }
      return connection.isConnected() ? TimeoutState.UNFINISHED : TimeoutState.UNANSWERED;
    }

    /** For how long the result of {@link #check} stays the same if nothing arrives. */
    static long quietNanos(PeerConnection connection, long nowNanos) {
      if (connection.isUp()) {
        return connection.liveness().quietNanos(nowNanos);
      }
      long limitNanos =
          connection.isClosing()
              ? connection.rejectedAfterNanos() + NetworkLimits.MAX_LINGER_NANOS
              : NetworkLimits.MAX_HANDSHAKE_NANOS;
      return Math.max(0, limitNanos - connection.ageNanos(nowNanos));
    }
  }

  /** Closes resources whose failure to close does not matter. */
  static final class QuietClose {
    private QuietClose() {}

    /** Closes it and returns the failure, if any, which most callers can ignore. */
    static @Nullable IOException quietly(Closeable open) {
      try {
        open.close();
        return null;
      } catch (IOException e) {
        return e;
      }
    }
  }
}
