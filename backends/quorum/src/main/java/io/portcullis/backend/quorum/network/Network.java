package io.portcullis.backend.quorum.network;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The links of this node with all other members.
 *
 * <p>It has no thread of its own but those that look up names: whoever calls {@link #turn} does all
 * the work and hears all the news. Nothing here ever waits for a peer, and no peer can make it hold
 * more than {@link NetworkLimits} allow. Everything but {@link #wake} and {@link #traffic} belongs
 * to one thread.
 */
public final class Network implements AutoCloseable {
  private final Selector selector;
  private final PeerListener listener;
  private final HostResolver hostResolver;
  private final ConnectionManager connections;
  private final NetworkStats traffic;
  private final AtomicBoolean woken = new AtomicBoolean();
  private boolean closed;

  private Network(
      Selector selector,
      PeerListener listener,
      HostResolver names,
      ConnectionManager board,
      NetworkStats traffic) {
    this.selector = selector;
    this.listener = listener;
    this.hostResolver = names;
    this.connections = board;
    this.traffic = traffic;
  }

  /**
   * Listens, and dials from the first turn on.
   *
   * @throws IOException if it can't listen; says where and why
   * @throws IllegalArgumentException if the configuration could not be told to the others
   */
  public static Network open(NetworkConfig config) throws IOException {
    return open(config, InetAddress::getAllByName);
  }

  static Network open(NetworkConfig config, HostResolver.Lookup lookup) throws IOException {
    LocalPeer self = LocalPeer.of(config);
    NetworkStats traffic = new NetworkStats();
    Selector selector = Selector.open();
    try {
      PeerListener listener = PeerListener.open(config.listen(), selector);
      HostResolver names =
          new HostResolver(config.cluster(), self.clusterIdentity().size(), lookup);
      ConnectionManager board =
          new ConnectionManager(config, self, selector, listener, names, traffic);
      return new Network(selector, listener, names, board, traffic);
    } catch (IOException e) {
      selector.close();
      throw e;
    }
  }

  /**
   * Sends, receives, dials and accepts, until the receiver was told something, {@link #wake} was
   * called, or the time is up (rounded up to a millisecond).
   *
   * @throws IOException if the system fails; the failure of a peer is no exception here
   */
  public void turn(long atMostNanos, MessageReceiver receiver) throws IOException {
    long endNanos = System.nanoTime() + Math.max(0, atMostNanos);
    ConnectionManager.EventLoopTurn session = connections.session(receiver);
    long leftNanos;
    do {
      long nowNanos = System.nanoTime();
      long quietNanos = session.prepare(nowNanos);
      select(session.hasNotified() ? 0 : Math.min(quietNanos, endNanos - nowNanos));
      Iterator<SelectionKey> keys = selector.selectedKeys().iterator();
      while (keys.hasNext()) {
        SelectionKey key = keys.next();
        keys.remove(); // First, so that a receiver that throws is not asked again about this one.
        session.serve(key);
      }
      session.finish(System.nanoTime());
      leftNanos = endNanos - System.nanoTime();
    } while (leftNanos > 0 && !session.hasNotified() && !woken.getAndSet(false));
  }

  private void select(long atMostNanos) throws IOException {
    if (atMostNanos <= 0) {
      selector.selectNow();
    } else {
      // Rounded up: rounded down it would turn and turn in the last millisecond.
      selector.select(TimeUnit.NANOSECONDS.toMillis(atMostNanos - 1) + 1);
    }
  }

  /** Makes the present turn, or else the next one, return. Any thread may call it. */
  public void wake() {
    woken.set(true);
    selector.wakeup();
  }

  /**
   * Sends a message to this member in the next turn at the latest, over the link that has come up
   * or brought a message last. It is dropped, and counted, if there is no link or too much is
   * queued on it.
   */
  public void send(int member, byte[] payload) {
    if (payload.length > NetworkLimits.MAX_PAYLOAD_BYTES) {
      throw new IllegalArgumentException(
          "a message of "
              + payload.length
              + " bytes, more than "
              + NetworkLimits.MAX_PAYLOAD_BYTES);
    }
    connections.send(member, payload);
  }

  /**
   * Whether it is known by now if another process of this member answers at its address; that one
   * would have been told to the receiver.
   */
  public boolean hasCalledSelf() {
    return connections.hasCalledSelf();
  }

  /** The port it listens on. */
  public int port() throws IOException {
    return listener.port();
  }

  /** What has passed so far. Any thread may ask. */
  public NetworkStats traffic() {
    return traffic;
  }

  /** Sends what is queued, for a bounded time, and closes everything. */
  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    hostResolver.close();
    listener.close();
    try {
      connections.close();
    } finally {
      selector.close();
    }
  }
}
