package io.portcullis.benchmarks.failover;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The servers, the JVMs and the folder of one run. Once closed, nothing of them is left and nothing
 * more can be started, so that an interrupt at any moment leaves nothing behind.
 */
final class Lab implements AutoCloseable {
  /** Also the name of the agent's election. */
  static final String ELECTION = "bench";

  private final Path agent;
  private final Path folder;
  private final Stores stores;
  private final List<Node> nodes = new ArrayList<>();
  private int started;
  private boolean closed;

  private Lab(Path agent, Path folder, Stores stores) {
    this.agent = agent;
    this.folder = folder;
    this.stores = stores;
  }

  static Lab open(Path agent) throws Exception {
    if (!Files.isRegularFile(agent)) {
      throw new CannotMeasure(agent + " is missing; benchmarks/failover builds it.");
    }
    Path folder = Files.createTempDirectory("portcullis-failover-");
    return new Lab(agent.toAbsolutePath(), folder, Stores.start());
  }

  /** Starts a JVM for an election of its own name. */
  Node start(Kind kind, String election) throws IOException {
    Node node = Node.start(command(kind, election), folder.resolve("node-" + started + ".log"));
    synchronized (this) {
      nodes.add(node);
      if (closed) {
        node.close();
        throw new CannotMeasure("It was ended.");
      }
    }
    return node;
  }

  Stores stores() {
    return stores;
  }

  private List<String> command(Kind kind, String election) throws IOException {
    started++;
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx128m");
    boolean withAgent = kind.agentBackend().isPresent();
    if (withAgent) {
      Path config = folder.resolve("node-" + started + ".conf");
      String text = config(stores.agentSettings(kind, election));
      command.add("-javaagent:" + agent + "=" + Files.writeString(config, text));
    }
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(NodeMain.class.getName());
    command.add(kind.name());
    command.add(stores.address(kind));
    command.add(withAgent ? ELECTION : election);
    return command;
  }

  private String config(String store) {
    return """
        portcullis {
          service = failover
          node { id = node-%d }
          elections {
            %s {
              timing { lease = %dms, renew = %dms }
              %s
            }
          }
          rules = [ { id = work, match = "%s#act()" } ]
          http { enabled = false }
        }
        """
        .formatted(
            started,
            ELECTION,
            Pace.LEASE.toMillis(),
            Pace.RENEW.toMillis(),
            store,
            GuardedWork.class.getName());
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    nodes.forEach(Node::close);
    try {
      try {
        stores.end();
      } finally {
        delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> found = Files.walk(folder)) {
      for (Path path : found.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }
}
