package io.portcullis.benchmarks.failover;

import io.portcullis.servers.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;

/**
 * The servers, the JVMs and the folder of one run. Once closed, nothing of them is left and nothing
 * more can be started, so that an interrupt at any moment leaves nothing behind.
 */
final class Lab implements AutoCloseable {
  /** Also the name of the agent's election. */
  static final String ELECTION = "bench";

  private final Path agent;
  private final Path folder;
  private final RedisServer redis;
  private final TestingServer zookeeper;
  private final List<Node> nodes = new ArrayList<>();
  private int started;
  private boolean closed;

  private Lab(Path agent, Path folder, RedisServer redis, TestingServer zookeeper) {
    this.agent = agent;
    this.folder = folder;
    this.redis = redis;
    this.zookeeper = zookeeper;
  }

  static Lab open(Path agent) throws Exception {
    if (!Files.isRegularFile(agent)) {
      throw new CannotMeasure(agent + " is missing; benchmarks/failover builds it.");
    }
    Path folder = Files.createTempDirectory("portcullis-failover-");
    return new Lab(agent.toAbsolutePath(), folder, RedisServer.startLocal(), zookeeper());
  }

  private static TestingServer zookeeper() throws Exception {
    int anyPort = -1;
    int anyId = -1;
    int tick = Math.toIntExact(Pace.ZOOKEEPER_TICK.toMillis());
    boolean deleteAtClose = true;
    int anyNumberOfConnections = -1;
    InstanceSpec spec =
        new InstanceSpec(
            null,
            anyPort,
            anyPort,
            anyPort,
            deleteAtClose,
            anyId,
            tick,
            anyNumberOfConnections,
            Map.of(),
            InetAddress.getLoopbackAddress().getHostAddress());
    return new TestingServer(spec, true);
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

  private List<String> command(Kind kind, String election) throws IOException {
    started++;
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx128m");
    if (kind == Kind.PORTCULLIS) {
      Path config = folder.resolve("node-" + started + ".conf");
      command.add("-javaagent:" + agent + "=" + Files.writeString(config, config(election)));
    }
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(NodeMain.class.getName());
    command.add(kind.name());
    command.add(kind == Kind.CURATOR ? zookeeper.getConnectString() : redis.uri());
    command.add(kind == Kind.PORTCULLIS ? ELECTION : election);
    return command;
  }

  private String config(String key) {
    return """
        portcullis {
          service = failover
          node { id = node-%d }
          elections {
            %s {
              backend = redis
              timing { lease = %dms, renew = %dms }
              redis { uri = "%s", key = "%s" }
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
            redis.uri(),
            key,
            GuardedWork.class.getName());
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    nodes.forEach(Node::close);
    redis.close();
    try {
      zookeeper.close();
      delete(folder);
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
