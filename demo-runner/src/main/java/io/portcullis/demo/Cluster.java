package io.portcullis.demo;

import io.portcullis.servers.LoopbackPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The store, the JVMs and the folder of one demo run. {@link #close} ends and deletes all of them
 * and prevents further starts, so that an interrupt at any moment leaves nothing behind.
 */
final class Cluster implements AutoCloseable {
  static final List<String> NODES = List.of("a", "b", "c");

  private final DemoJars jars;
  private final Path folder;
  private final Map<String, ServiceNode> current = new LinkedHashMap<>();
  private final List<ServiceNode> all = new ArrayList<>();
  private @Nullable DemoStore store;
  private boolean closed;

  Cluster(DemoJars jars) throws IOException {
    this.jars = jars;
    this.folder = Files.createTempDirectory("portcullis-demo-");
  }

  /** Starts the store. Call once, before any node is started. */
  synchronized void startStore(StoreKind kind) throws IOException {
    checkOpen();
    store = DemoStore.start(kind, NODES, folder);
  }

  /** Starts a JVM as node {@code id}; replaces the previous JVM of this node. */
  synchronized ServiceNode start(String id) throws IOException {
    checkOpen();
    DemoStore started = Objects.requireNonNull(store, "the store is not started");
    long earlier = all.stream().filter(node -> node.id().equals(id)).count();
    String writer = earlier == 0 ? id : id + (earlier + 1);
    NodeConfig config = new NodeConfig(id, started, LoopbackPort.free(), LoopbackPort.free());
    ServiceNode node = ServiceNode.start(config, writer, folder, jars);
    all.add(node);
    current.put(id, node);
    return node;
  }

  /** The latest JVM of each node. */
  synchronized List<ServiceNode> nodes() {
    return List.copyOf(current.values());
  }

  /** The writer names of all JVMs of a node. */
  synchronized List<String> writers(String id) {
    return all.stream().filter(node -> node.id().equals(id)).map(ServiceNode::writer).toList();
  }

  /** The tenures of all JVMs, including ended ones. */
  synchronized List<LoggedTenure> tenures() throws IOException {
    List<LoggedTenure> tenures = new ArrayList<>();
    for (ServiceNode node : all) {
      tenures.addAll(node.tenures());
    }
    return tenures;
  }

  List<JournalEntry> journal() throws IOException {
    return JournalEntry.parse(
        Files.readAllLines(folder.resolve("journal.log"), StandardCharsets.ISO_8859_1));
  }

  /** Stops all JVMs gracefully. */
  void endNodes() throws InterruptedException {
    nodes().forEach(ServiceNode::terminate);
    for (ServiceNode node : nodes()) {
      node.awaitEnd();
    }
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    all.forEach(ServiceNode::kill);
    try {
      for (ServiceNode node : all) {
        node.awaitEnd();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (store != null) {
        store.close();
      }
      delete(folder);
    }
  }

  /** Whether the cluster was closed, for example by an interrupt. */
  synchronized boolean isClosed() {
    return closed;
  }

  private void checkOpen() {
    if (closed) {
      throw new DemoFailureException("The demo was stopped.");
    }
  }

  private static void delete(Path folder) {
    try (Stream<Path> found = Files.walk(folder)) {
      for (Path path : found.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
