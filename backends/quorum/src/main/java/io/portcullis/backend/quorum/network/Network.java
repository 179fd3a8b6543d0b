package io.portcullis.backend.quorum.network;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The connections of this node with all other members.
 *
 * <p>It has no threads except those that look up names: the thread that calls {@link #turn} does
 * all the work and receives all events. It never blocks on a peer, and no peer can make it hold
 * more than {@link NetworkLimits} allow. Only {@link #wake} and {@link #traffic} are thread-safe;
 * all other methods must be called by one thread.
 */
public final class Network implements AutoCloseable {
  private final Selector selector;
  private final PeerListener listener;
  private final HostResolver hostResolver;
  private final ConnectionManager connections;
  private final NetworkStats stats;
  private final AtomicBoolean woken = new AtomicBoolean();
  private boolean closed;

  private Network(
      Selector selector,
      PeerListener listener,
      HostResolver hostResolver,
      ConnectionManager connections,
      NetworkStats stats) {
    this.selector = selector;
    this.listener = listener;
    this.hostResolver = hostResolver;
    this.connections = connections;
    this.stats = stats;
  }

  /**
   * Starts to listen. Connections to the other members are opened from the first turn on.
   *
   * @throws IOException if it can't listen; the message contains the address and the reason
   * @throws IllegalArgumentException if the configuration can't be encoded in frames
   */
  public static Network open(NetworkConfig config) throws IOException {
    return open(config, InetAddress::getAllByName);
  }

  static Network open(NetworkConfig config, HostResolver.Lookup lookup) throws IOException {
    LocalPeer self = LocalPeer.of(config);
    NetworkStats stats = new NetworkStats();
    Selector selector = Selector.open();
    try {
      PeerListener listener = PeerListener.open(config.listen(), selector);
      HostResolver hostResolver =
          new HostResolver(config.cluster(), self.clusterIdentity().size(), lookup);
      ConnectionManager connections =
          new ConnectionManager(config, self, selector, listener, hostResolver, stats);
      return new Network(selector, listener, hostResolver, connections, stats);
    } catch (IOException e) {
      selector.close();
      throw e;
    }
  }

  /**
   * Sends, receives, connects and accepts, until the receiver was called, {@link #wake} was called,
   * or the time is up (rounded up to a millisecond).
   *
   * @throws IOException if the system fails; the failure of a peer never throws
   */
  public void turn(long maxNanos, MessageReceiver receiver) throws IOException {
    long endNanos = System.nanoTime() + Math.max(0, maxNanos);
    ConnectionManager.EventLoopTurn turn = connections.turn(receiver);
    long leftNanos;
    do {
      long nowNanos = System.nanoTime();
      long quietNanos = turn.prepare(nowNanos);
      select(turn.hasNotified() ? 0 : Math.min(quietNanos, endNanos - nowNanos));
      Iterator<SelectionKey> keys = selector.selectedKeys().iterator();
      while (keys.hasNext()) {
        SelectionKey key = keys.next();
        keys.remove(); // First, so that a key is not served again after the receiver throws.
        turn.serve(key);
      }
      turn.finish(System.nanoTime());
      leftNanos = endNanos - System.nanoTime();
    } while (leftNanos > 0 && !turn.hasNotified() && !woken.getAndSet(false));
  }

  private void select(long maxNanos) throws IOException {
    if (maxNanos <= 0) {
      selector.selectNow();
    } else {
      // Rounded up: rounded down, the loop would spin during the last millisecond.
      selector.select(TimeUnit.NANOSECONDS.toMillis(maxNanos - 1) + 1);
    }
  }

  /** Makes the current turn, or otherwise the next one, return. Thread-safe. */
  public void wake() {
    woken.set(true);
    selector.wakeup();
  }

  /**
   * Sends a message to this member, at the latest in the next turn, over the connection that was
   * established or delivered a message most recently. The message is dropped and counted if there
   * is no connection or its queue is full.
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
   * Whether the check for another process at this member's own address is complete. If it found
   * one, the receiver was notified.
   */
  public boolean hasCalledSelf() {
    return connections.hasCalledSelf();
  }

  /** The port it listens on. */
  public int port() throws IOException {
    return listener.port();
  }

  /** Network counters. Thread-safe. */
  public NetworkStats traffic() {
    return stats;
  }

  /** Sends what is queued, for a limited time, and closes everything. */
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

  /** Receives messages and connection events on the thread that calls {@link Network#turn}. */
  public interface MessageReceiver {

    /**
     * An authenticated connection with this member's named process is established. There may have
     * been earlier connections with the same process; that process may have lost them and may have
     * had connections with another process of this member since.
     */
    void linked(int member, PeerProcess peer);

    /** The last connection with this member is closed. */
    void unlinked(int member);

    /** Another process of this node's own member responds at the member's configured address. */
    void duplicateFound(String identity);

    /** A message of this member has arrived and passed all checks. */
    void received(int member, byte[] payload);
  }

  /**
   * The process that currently runs as a member.
   *
   * @param identity the identity of the process
   * @param address where its service can be reached, null if it did not report one
   */
  public record PeerProcess(String identity, @Nullable String address) {

    /** Creates a process without its address if that is too long for a frame. */
    public static PeerProcess of(String identity, @Nullable String address) {
      boolean fits =
          address != null
              && address.getBytes(StandardCharsets.UTF_8).length <= NetworkLimits.MAX_NAME_BYTES;
      return new PeerProcess(identity, fits ? address : null);
    }
  }
}
