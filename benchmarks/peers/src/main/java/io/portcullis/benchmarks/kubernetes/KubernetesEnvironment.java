package io.portcullis.benchmarks.kubernetes;

import io.portcullis.benchmarks.failover.Command;
import io.portcullis.benchmarks.failover.Event;
import io.portcullis.benchmarks.failover.MeasurementException;
import io.portcullis.benchmarks.failover.Node;
import io.portcullis.benchmarks.failover.NodeFleet;
import io.portcullis.servers.kubernetes.ApiServer;
import io.portcullis.servers.kubernetes.RequestFilter;
import io.portcullis.servers.kubernetes.RequestLogEntry;
import io.portcullis.servers.kubernetes.Verb;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** The API server, inside this JVM, and the nodes of one run. */
final class KubernetesEnvironment implements AutoCloseable {
  private final NodeFleet fleet;
  private final ApiServer server;
  private int members;

  private KubernetesEnvironment(NodeFleet fleet, ApiServer server) {
    this.fleet = fleet;
    this.server = server;
  }

  static KubernetesEnvironment open(Path agent) throws IOException {
    return new KubernetesEnvironment(
        NodeFleet.open(agent, "benchmarks/kubernetes"), ApiServer.start());
  }

  /**
   * A participating node.
   *
   * @param token identifies the node to the API server; unique to this node
   */
  record Member(Node node, String token) implements AutoCloseable {
    @Override
    public void close() {
      node.close();
    }
  }

  /** Starts a node and lets it participate. */
  Member start(Elector elector, String lease) throws IOException {
    String token = "node-" + ++members;
    String[] arguments = {elector.name(), server.url(), token, ApiServer.NAMESPACE, lease};
    Node node =
        switch (elector) {
          case PORTCULLIS ->
              fleet.startWithAgent(settings(token, lease), ElectorNode.class, arguments);
          case FABRIC8 -> fleet.start(ElectorNode.class, arguments);
        };
    node.send(Command.JOIN);
    node.await(Event.JOINING);
    return new Member(node, token);
  }

  /** The agent's configuration, without timing: its defaults are measured. */
  private String settings(String token, String lease) {
    Path kubeconfig = server.kubeconfig(fleet.folder().resolve(token), token);
    return "backend = kubernetes, kubernetes { kubeconfig = \"%s\", lease = \"%s\" }"
        .formatted(kubeconfig, lease);
  }

  /** Time when the last write of a node arrived. */
  Instant lastWrite(Member member, String lease) {
    List<RequestLogEntry> writes =
        server.requests(RequestFilter.to(Verb.UPDATE, Verb.PATCH).by(member.token()).about(lease));
    if (writes.isEmpty()) {
      throw new MeasurementException("The leader of " + lease + " never wrote its Lease.");
    }
    return writes.get(writes.size() - 1).at();
  }

  /** Requests of a node within a period. */
  List<RequestLogEntry> requests(Member member, Instant from, Instant until) {
    return server.requests(RequestFilter.all().by(member.token())).stream()
        .filter(asked -> !asked.at().isBefore(from) && asked.at().isBefore(until))
        .toList();
  }

  @Override
  public void close() {
    fleet.close();
    server.close();
  }
}
