package io.portcullis.backend.quorum.network;

import io.portcullis.backend.quorum.network.Network.MessageReceiver;
import io.portcullis.backend.quorum.network.Network.PeerProcess;
import io.portcullis.backend.quorum.network.NetworkConfig.MemberEndpoint;
import io.portcullis.backend.quorum.network.NetworkConfig.PeerCredentials;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs a network on its own thread and records what it receives. */
final class NetworkNodeFixture implements AutoCloseable, MessageReceiver {
  static final String CLUSTER = "orders/main";
  static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(2);

  final List<String> events = new CopyOnWriteArrayList<>();
  final List<String> messages = new CopyOnWriteArrayList<>();
  final Map<Integer, PeerProcess> peers = new ConcurrentHashMap<>();
  private final Network network;
  private final Thread thread;
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private volatile boolean closing;
  private volatile @Nullable Throwable failure;

  /** Ignores all events. */
  static final class IgnoringReceiver implements MessageReceiver {
    @Override
    public void linked(int member, PeerProcess peer) {}

    @Override
    public void unlinked(int member) {}

    @Override
    public void duplicateFound(String identity) {}

    @Override
    public void received(int member, byte[] payload) {}
  }

  private NetworkNodeFixture(Network network, String name) {
    this.network = network;
    thread = new Thread(this::run, "node-" + name);
    thread.start();
  }

  static NetworkNodeFixture open(NetworkConfig config) throws IOException {
    return new NetworkNodeFixture(Network.open(config), config.peer().identity());
  }

  static NetworkNodeFixture open(NetworkConfig config, HostResolver.Lookup lookup)
      throws IOException {
    return new NetworkNodeFixture(Network.open(config, lookup), config.peer().identity());
  }

  /** A configuration without TLS that listens at the address in the member list. */
  static NetworkConfig config(
      List<MemberEndpoint> members, int self, String identity, String... secrets) {
    return new NetworkConfig(
        CLUSTER,
        members,
        self,
        new InetSocketAddress(InetAddress.getLoopbackAddress(), members.get(self).port()),
        new PeerProcess(identity, "http://" + identity),
        () -> new PeerCredentials(List.of(secrets), null),
        RESPONSE_TIMEOUT);
  }

  static NetworkConfig listeningAt(NetworkConfig config, int port) {
    return new NetworkConfig(
        config.cluster(),
        config.members(),
        config.self(),
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
        config.peer(),
        config.credentials(),
        config.responseTimeout());
  }

  static MemberEndpoint member(String id, int port) {
    return new MemberEndpoint(id, "127.0.0.1", port);
  }

  NetworkStats traffic() {
    return network.traffic();
  }

  int port() throws IOException {
    return network.port();
  }

  boolean isLinkedWith(int member) {
    return peers.containsKey(member);
  }

  void send(int member, String text) {
    run(() -> network.send(member, text.getBytes(StandardCharsets.UTF_8)));
  }

  /** Sends at once; only for tasks, which run on the network's thread. */
  void sendNow(int member, String text) {
    network.send(member, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Runs a task after which the network's loop ends. */
  void runLast(Runnable task) {
    run(
        () -> {
          closing = true;
          task.run();
        });
  }

  void run(Runnable task) {
    tasks.add(task);
    network.wake();
  }

  private void run() {
    try {
      while (!closing) {
        network.turn(TimeUnit.SECONDS.toNanos(10), this);
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
          task.run();
        }
      }
    } catch (IOException | RuntimeException | AssertionError e) {
      failure = e;
    }
  }

  @Override
  public void linked(int member, PeerProcess peer) {
    if (!peer.equals(peers.put(member, peer))) {
      events.add("linked " + member + " " + peer.identity());
    }
  }

  @Override
  public void unlinked(int member) {
    peers.remove(member);
    events.add("unlinked " + member);
  }

  @Override
  public void duplicateFound(String identity) {
    events.add("duplicate of " + identity);
  }

  @Override
  public void received(int member, byte[] payload) {
    messages.add(member + ":" + new String(payload, StandardCharsets.UTF_8));
  }

  @Override
  public void close() throws IOException {
    closing = true;
    network.wake();
    try {
      thread.join(TimeUnit.SECONDS.toMillis(10));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (thread.isAlive()) {
      throw new AssertionError("the loop of the network does not end");
    }
    network.close();
    if (failure != null) {
      throw new AssertionError("the loop of the network failed", failure);
    }
  }
}
