package io.portcullis.backend.quorum.net;

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
final class Switchboard {
  private static final String SLOW = "it began and did not go on within 2 s";
  private static final String MUTE =
      "it said nothing within 2 s: is its process stopped or very busy, or TLS on at one side only?";

  private final NetworkConfig config;
  private Self self;
  private Credentials credentials;
  private final Selector selector;
  private final Listener listener;
  private final Traffic traffic;
  private final Complaints complaints;
  private final Dialler dialler;
  private final Roll roll;
  private final Set<Link> links = new LinkedHashSet<>();
  private Set<Link> unfinished = new LinkedHashSet<>();

  Switchboard(
      NetworkConfig config,
      Self self,
      Selector selector,
      Listener listener,
      Names names,
      Traffic traffic) {
    this.config = config;
    this.self = self;
    this.credentials = config.credentials().get();
    this.selector = selector;
    this.listener = listener;
    this.traffic = traffic;
    complaints = new Complaints(config.cluster(), config.peer().identity(), traffic);
    dialler = new Dialler(self.roster(), names, complaints, this::connect, selector::wakeup);
    roll = new Roll(self.roster().size());
  }

  Session session(Receiver receiver) {
    return new Session(receiver);
  }

  boolean hasCalledSelf() {
    return dialler.hasCalledSelf(System.nanoTime());
  }

  void send(int member, byte[] payload) {
    Link link = roll.liveliest(member);
    if (link == null || !link.send(Kind.MESSAGE, payload)) {
      traffic.dropped();
    }
  }

  private void connect(int member, InetSocketAddress address) throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      channel.configureBlocking(false);
      boolean connected = channel.connect(address);
      Link unused =
          link(
              channel,
              connected ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT,
              Handshake.dialling(shownNow(), member),
              self.roster().member(member) + " (" + address.getAddress().getHostAddress() + ")");
    } catch (IOException e) {
      @Nullable IOException unused = Closing.quietly(channel);
      throw e;
    }
  }

  /** This node as it shows itself on new links: what it shows may have been replaced. */
  private Self shownNow() {
    Credentials now = config.credentials().get();
    if (!now.equals(credentials)) {
      self = self.with(new Keyring(now.secrets()));
      credentials = now;
    }
    return self;
  }

  private Link link(SocketChannel channel, int interest, Handshake handshake, String remote)
      throws IOException {
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    SSLContext tls = credentials.tls();
    Wire wire =
        tls == null ? new PlainWire(channel) : new TlsWire(channel, tls, handshake.isDialled());
    SelectionKey key = channel.register(selector, interest);
    Link link = new Link(key, wire, self, handshake, traffic, remote, config.patience().toNanos());
    key.attach(link);
    links.add(link);
    return link;
  }

  /** Sends what is queued, and waits until the others have seen the end, for a bounded time. */
  void close() throws IOException {
    try {
      new Farewell(selector, links).say();
    } finally {
      links.forEach(Link::close);
      links.clear();
    }
  }

  /** The work of one turn, which tells one receiver. */
  final class Session implements Link.Ears, Listener.Accepting {
    private final Receiver receiver;
    private boolean told;

    Session(Receiver receiver) {
      this.receiver = receiver;
    }

    boolean hasTold() {
      return told;
    }

    /** Sends and dials, and says how long there is nothing to do unless something arrives. */
    long prepare(long nowNanos) {
      dialler.turn(roll, nowNanos);
      Set<Link> again = unfinished;
      unfinished = new LinkedHashSet<>();
      again.forEach(this::serve);
      flush();
      long quiet = Math.min(dialler.quietNanos(roll, nowNanos), listener.turn(nowNanos));
      for (Link link : links) {
        quiet = Math.min(quiet, Patience.quietNanos(link, nowNanos));
      }
      return unfinished.isEmpty() ? quiet : 0;
    }

    void serve(SelectionKey key) {
      if (listener.owns(key)) {
        listener.accept(this, complaints, System.nanoTime());
      } else if (key.attachment() instanceof Link link) {
        serve(link);
      }
    }

    private void serve(Link link) {
      if (!link.isOpen()) {
        return;
      }
      try {
        if (link.serve(this)) {
          unfinished.add(link);
        }
      } catch (Refused e) {
        refuse(link, e.why(), String.valueOf(e.getMessage()), e.other());
      } catch (SSLException e) {
        refuse(link, Refusal.TLS, String.valueOf(e.getMessage()));
      } catch (IOException e) {
        drop(link, e.toString());
      }
    }

    /** Ends what has lasted too long, and sends what the receiver has answered. */
    void finish(long nowNanos) {
      for (Link link : new ArrayList<>(links)) {
        switch (Patience.check(link, nowNanos)) {
          case FINE -> {}
          case PING -> link.ping();
          case UNFINISHED -> refuse(link, Refusal.TIMEOUT, link.hasSpoken() ? SLOW : MUTE);
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
      for (Link link : new ArrayList<>(links)) {
        try {
          link.flush();
        } catch (SSLException e) {
          refuse(link, Refusal.TLS, String.valueOf(e.getMessage()));
        } catch (IOException e) {
          drop(link, e.toString());
        }
      }
    }

    private void refuse(Link link, Refusal why, String detail) {
      refuse(link, why, detail, null);
    }

    private void refuse(Link link, Refusal why, String detail, @Nullable String other) {
      complaints.refused(link.remote(), why, detail, System.nanoTime());
      // One too many gets no last word: its place is needed.
      if (link.canBeTold() && why != Refusal.TOO_MANY && why != Refusal.TLS) {
        try {
          link.refuse(why, detail, other);
          return;
        } catch (IOException e) {
          detail = e.toString();
        }
      }
      drop(link, detail);
    }

    private void drop(Link link, String why) {
      long nowNanos = System.nanoTime();
      link.close();
      links.remove(link);
      listener.forget(link);
      if (!link.isUp()) {
        if (link.handshake().isDialled()) {
          dialler.failed(link.member(), why, roll, nowNanos);
        }
      } else if (roll.remove(link, receiver)) {
        told = true;
        dialler.lost(link.member(), link.ageNanos(nowNanos), nowNanos);
      }
    }

    @Override
    public Link accept(SocketChannel channel) throws IOException {
      channel.configureBlocking(false);
      String remote = String.valueOf(channel.getRemoteAddress());
      return link(channel, SelectionKey.OP_READ, Handshake.accepting(shownNow()), remote);
    }

    @Override
    public void tooMany(Link oldest) {
      refuse(oldest, Refusal.TOO_MANY, "more than " + Bounds.UNPROVEN);
    }

    @Override
    public void named(Link link, String identity) throws IOException, Refused {
      if (link.member() != self.roster().self()) {
        roll.check(link.member(), identity, System.nanoTime());
        return;
      }
      boolean another = !identity.equals(self.peer().identity());
      if (another && !link.handshake().isDialled()) {
        String both = "this is " + self.peer().identity() + ", and " + identity + " calls";
        complaints.refused(link.remote(), Refusal.DOUBLE, both, System.nanoTime());
      } else if (another) {
        told = true;
        receiver.doubled(identity);
      }
      if (link.handshake().isDialled()) {
        throw new EOFException("the call to the own address is over");
      }
    }

    @Override
    public void up(Link link, Peer peer) throws Refused {
      listener.forget(link);
      if (link.handshake().isDialled()) {
        dialler.answered(link.member());
      }
      roll.check(link.member(), peer.identity(), System.nanoTime()); // Two may come up at once.
      told = true;
      for (Link old : roll.add(link, peer, receiver)) {
        old.close();
        links.remove(old);
      }
    }

    @Override
    public void message(Link link, byte[] payload) {
      told = true;
      roll.heard(link); // First, so that the answer goes the same way.
      receiver.received(link.member(), payload);
    }

    @Override
    public void refusedBy(Link link, Refusal why, @Nullable String other) {
      complaints.refusedBy(link.remote(), why, other, System.nanoTime());
    }
  }
}
