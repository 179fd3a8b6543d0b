package io.portcullis.backend.quorum.network;

import io.portcullis.backend.quorum.network.ClusterSecret.Keyring;
import io.portcullis.backend.quorum.network.Frame.FrameType;
import io.portcullis.backend.quorum.network.Handshake.RejectedException;
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

/** All connections of this node, and what becomes of each. */
final class ConnectionManager {
  private static final String SLOW = "it began and did not go on within 2 s";
  private static final String MUTE =
      "it said nothing within 2 s: is its process stopped or very busy, or TLS on at one side only?";

  private final NetworkConfig config;
  private LocalPeer self;
  private PeerCredentials credentials;
  private final Selector selector;
  private final PeerListener listener;
  private final NetworkStats traffic;
  private final ThrottledWarnings warnings;
  private final PeerConnector connector;
  private final LinkTable linkTable;
  private final Set<PeerConnection> links = new LinkedHashSet<>();
  private Set<PeerConnection> unfinished = new LinkedHashSet<>();

  ConnectionManager(
      NetworkConfig config,
      LocalPeer self,
      Selector selector,
      PeerListener listener,
      HostResolver names,
      NetworkStats traffic) {
    this.config = config;
    this.self = self;
    this.credentials = config.credentials().get();
    this.selector = selector;
    this.listener = listener;
    this.traffic = traffic;
    warnings = new ThrottledWarnings(config.cluster(), config.peer().identity(), traffic);
    connector =
        new PeerConnector(self.clusterIdentity(), names, warnings, this::connect, selector::wakeup);
    linkTable = new LinkTable(self.clusterIdentity().size());
  }

  EventLoopTurn session(MessageReceiver receiver) {
    return new EventLoopTurn(receiver);
  }

  boolean hasCalledSelf() {
    return connector.hasCalledSelf(System.nanoTime());
  }

  void send(int member, byte[] payload) {
    PeerConnection link = linkTable.liveliest(member);
    if (link == null || !link.send(FrameType.MESSAGE, payload)) {
      traffic.dropped();
    }
  }

  private void connect(int member, InetSocketAddress address) throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      channel.configureBlocking(false);
      boolean connected = channel.connect(address);
      PeerConnection unused =
          link(
              channel,
              connected ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT,
              Handshake.dialling(shownNow(), member),
              self.clusterIdentity().member(member)
                  + " ("
                  + address.getAddress().getHostAddress()
                  + ")");
    } catch (IOException e) {
      @Nullable IOException unused = QuietClose.quietly(channel);
      throw e;
    }
  }

  /** This node as it shows itself on new links: what it shows may have been replaced. */
  private LocalPeer shownNow() {
    PeerCredentials now = config.credentials().get();
    if (!now.equals(credentials)) {
      self = self.with(new Keyring(now.secrets()));
      credentials = now;
    }
    return self;
  }

  private PeerConnection link(
      SocketChannel channel, int interest, Handshake handshake, String remote) throws IOException {
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    SSLContext tls = credentials.tls();
    ByteTransport wire =
        tls == null
            ? new PlainTransport(channel)
            : new TlsTransport(channel, tls, handshake.isDialled());
    SelectionKey key = channel.register(selector, interest);
    PeerConnection link =
        new PeerConnection(
            key, wire, self, handshake, traffic, remote, config.patience().toNanos());
    key.attach(link);
    links.add(link);
    return link;
  }

  /** Sends what is queued, and waits until the others have seen the end, for a bounded time. */
  void close() throws IOException {
    try {
      new GracefulClose(selector, links).closeAll();
    } finally {
      links.forEach(PeerConnection::close);
      links.clear();
    }
  }

  /** The work of one turn, which tells one receiver. */
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

    /** Sends and dials, and says how long there is nothing to do unless something arrives. */
    long prepare(long nowNanos) {
      connector.turn(linkTable, nowNanos);
      Set<PeerConnection> again = unfinished;
      unfinished = new LinkedHashSet<>();
      again.forEach(this::serve);
      flush();
      long quiet = Math.min(connector.quietNanos(linkTable, nowNanos), listener.turn(nowNanos));
      for (PeerConnection link : links) {
        quiet = Math.min(quiet, LinkTimeouts.quietNanos(link, nowNanos));
      }
      return unfinished.isEmpty() ? quiet : 0;
    }

    void serve(SelectionKey key) {
      if (listener.owns(key)) {
        listener.accept(this, warnings, System.nanoTime());
      } else if (key.attachment() instanceof PeerConnection link) {
        serve(link);
      }
    }

    private void serve(PeerConnection link) {
      if (!link.isOpen()) {
        return;
      }
      try {
        if (link.serve(this)) {
          unfinished.add(link);
        }
      } catch (RejectedException e) {
        refuse(link, e.why(), String.valueOf(e.getMessage()), e.other());
      } catch (SSLException e) {
        refuse(link, RejectReason.TLS, String.valueOf(e.getMessage()));
      } catch (IOException e) {
        drop(link, e.toString());
      }
    }

    /** Ends what has lasted too long, and sends what the receiver has answered. */
    void finish(long nowNanos) {
      for (PeerConnection link : new ArrayList<>(links)) {
        switch (LinkTimeouts.check(link, nowNanos)) {
          case FINE -> {}
          case PING -> link.ping();
          case UNFINISHED -> refuse(link, RejectReason.TIMEOUT, link.hasSpoken() ? SLOW : MUTE);
          case UNANSWERED -> drop(link, "no connection in time");
          case SILENT -> {
            traffic.silent();
            drop(link, "nothing was heard for " + config.patience());
          }
          case LEFT -> drop(link, link.leftBecause());
        }
      }
      flush();
    }

    private void flush() {
      for (PeerConnection link : new ArrayList<>(links)) {
        try {
          link.flush();
        } catch (SSLException e) {
          refuse(link, RejectReason.TLS, String.valueOf(e.getMessage()));
        } catch (IOException e) {
          drop(link, e.toString());
        }
      }
    }

    private void refuse(PeerConnection link, RejectReason why, String detail) {
      refuse(link, why, detail, null);
    }

    private void refuse(
        PeerConnection link, RejectReason why, String detail, @Nullable String other) {
      warnings.refused(link.remote(), why, detail, System.nanoTime());
      // One too many gets no last word: its place is needed.
      if (link.canSendRejection() && why != RejectReason.TOO_MANY && why != RejectReason.TLS) {
        try {
          link.refuse(why, detail, other);
          return;
        } catch (IOException e) {
          detail = e.toString();
        }
      }
      drop(link, detail);
    }

    private void drop(PeerConnection link, String why) {
      long nowNanos = System.nanoTime();
      link.close();
      links.remove(link);
      listener.forget(link);
      if (!link.isUp()) {
        if (link.handshake().isDialled()) {
          connector.failed(link.member(), why, linkTable, nowNanos);
        }
      } else if (linkTable.remove(link, receiver)) {
        notified = true;
        connector.lost(link.member(), link.ageNanos(nowNanos), nowNanos);
      }
    }

    @Override
    public PeerConnection accept(SocketChannel channel) throws IOException {
      channel.configureBlocking(false);
      String remote = String.valueOf(channel.getRemoteAddress());
      return link(channel, SelectionKey.OP_READ, Handshake.accepting(shownNow()), remote);
    }

    @Override
    public void tooMany(PeerConnection oldest) {
      refuse(oldest, RejectReason.TOO_MANY, "more than " + NetworkLimits.MAX_UNAUTHENTICATED);
    }

    @Override
    public void named(PeerConnection link, String identity) throws IOException, RejectedException {
      if (link.member() != self.clusterIdentity().self()) {
        linkTable.check(link.member(), identity, System.nanoTime());
        return;
      }
      boolean another = !identity.equals(self.peer().identity());
      if (another && !link.handshake().isDialled()) {
        String both = "this is " + self.peer().identity() + ", and " + identity + " calls";
        warnings.refused(link.remote(), RejectReason.DOUBLE, both, System.nanoTime());
      } else if (another) {
        notified = true;
        receiver.duplicateFound(identity);
      }
      if (link.handshake().isDialled()) {
        throw new EOFException("the call to the own address is over");
      }
    }

    @Override
    public void up(PeerConnection link, PeerProcess peer) throws RejectedException {
      listener.forget(link);
      if (link.handshake().isDialled()) {
        connector.answered(link.member());
      }
      linkTable.check(
          link.member(), peer.identity(), System.nanoTime()); // Two may come up at once.
      notified = true;
      for (PeerConnection old : linkTable.add(link, peer, receiver)) {
        old.close();
        links.remove(old);
      }
    }

    @Override
    public void message(PeerConnection link, byte[] payload) {
      notified = true;
      linkTable.heard(link); // First, so that the answer goes the same way.
      receiver.received(link.member(), payload);
    }

    @Override
    public void refusedBy(PeerConnection link, RejectReason why, @Nullable String other) {
      warnings.refusedBy(link.remote(), why, other, System.nanoTime());
    }
  }

  /** How long a link may be in each state of its life. */
  static final class LinkTimeouts {
    private LinkTimeouts() {}

    enum TimeoutState {
      FINE,
      /** The other side should say something. */
      PING,
      /** The dialled host did not even answer. */
      UNANSWERED,
      /** The handshake took too long. */
      UNFINISHED,
      /** A refused one had time enough to read why. */
      LEFT,
      /** The other side says nothing. */
      SILENT
    }

    static TimeoutState check(PeerConnection link, long nowNanos) {
      if (link.isUp()) {
        return switch (link.liveness().check(nowNanos)) {
          case FINE -> TimeoutState.FINE;
          case ASK -> TimeoutState.PING;
          case DEAD -> TimeoutState.SILENT;
        };
      }
      if (quietNanos(link, nowNanos) > 0) {
        return TimeoutState.FINE;
      }
      if (link.isLeaving()) {
        return TimeoutState.LEFT;
      }
      return link.isConnected() ? TimeoutState.UNFINISHED : TimeoutState.UNANSWERED;
    }

    /** How long the verdict will be the same. */
    static long quietNanos(PeerConnection link, long nowNanos) {
      if (link.isUp()) {
        return link.liveness().quietNanos(nowNanos);
      }
      long limitNanos =
          link.isLeaving()
              ? link.leftAfterNanos() + NetworkLimits.MAX_LINGER_NANOS
              : NetworkLimits.MAX_HANDSHAKE_NANOS;
      return Math.max(0, limitNanos - link.ageNanos(nowNanos));
    }
  }

  /** Closes what is gone either way. */
  static final class QuietClose {
    private QuietClose() {}

    /** Closes it and gives the failure, if any, which most callers can do nothing about. */
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
