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
 * The JVMs of one run and their folder. After {@link #close} nothing of them remains and nothing
 * can be started, so that an interrupt at any moment leaves nothing behind.
 */
public final class NodeFleet implements AutoCloseable {
  private final Path agent;
  private final Path folder;
  private final List<Node> nodes = new ArrayList<>();
  private int started;
  private boolean closed;

  private NodeFleet(Path agent, Path folder) {
    this.agent = agent;
    this.folder = folder;
  }

  /**
   * Creates an empty fleet.
   *
   * @param script the script that builds the agent
   */
  public static NodeFleet open(Path agent, String script) throws IOException {
    if (!Files.isRegularFile(agent)) {
      throw new MeasurementException(agent + " is missing; " + script + " builds it.");
    }
    return new NodeFleet(agent.toAbsolutePath(), Files.createTempDirectory("portcullis-failover-"));
  }

  /** Folder for files that are deleted at the end of the run. */
  public Path folder() {
    return folder;
  }

  /** Starts a JVM. */
  public Node start(Class<?> main, String... arguments) throws IOException {
    return start(List.of(), main, arguments);
  }

  /**
   * Starts a JVM with the agent.
   *
   * @param election the agent's configuration of its only election
   */
  public Node startWithAgent(String election, Class<?> main, String... arguments)
      throws IOException {
    int number = started + 1;
    Path config = folder.resolve("node-" + number + ".conf");
    Files.writeString(config, config(number, election));
    return start(List.of("-javaagent:" + agent + "=" + config), main, arguments);
  }

  private Node start(List<String> options, Class<?> main, String... arguments) throws IOException {
    started++;
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx128m");
    command.addAll(options);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    Node node = Node.start(command, folder.resolve("node-" + started + ".log"));
    synchronized (this) {
      nodes.add(node);
      if (closed) {
        node.close();
        throw new MeasurementException("It was ended.");
      }
    }
    return node;
  }

  private static String config(int number, String election) {
    return """
        portcullis {
          service = failover
          node { id = node-%d }
          elections {
            %s {
              %s
            }
          }
          rules = [ { id = work, match = "%s#act()" } ]
          http { enabled = false }
        }
        """
        .formatted(number, AgentContender.ELECTION, election, GuardedWork.class.getName());
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    nodes.forEach(Node::close);
    try (Stream<Path> found = Files.walk(folder)) {
      for (Path path : found.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
