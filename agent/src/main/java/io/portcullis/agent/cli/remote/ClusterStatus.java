package io.portcullis.agent.cli.remote;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValueFactory;
import io.portcullis.agent.cli.remote.NodeClient.NodeUnreachableException;
import io.portcullis.election.threads.DaemonThreads;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor.AbortPolicy;

/** Status of several nodes, queried at about the same time. */
final class ClusterStatus {
  private static final int MAX_PARALLEL_REQUESTS = 16;

  private final Map<NodeAddress, Config> statuses = new LinkedHashMap<>();
  private final Map<NodeAddress, String> failures = new LinkedHashMap<>();
  private final List<StatusRow> unreachable = new ArrayList<>();

  private ClusterStatus() {}

  /** Queries all nodes in parallel, so that a node that does not respond delays no other. */
  static ClusterStatus of(List<NodeAddress> nodes, NodeClient client) throws InterruptedException {
    ClusterStatus status = new ClusterStatus();
    status.query(nodes, client);
    return status;
  }

  private void query(List<NodeAddress> nodes, NodeClient client) throws InterruptedException {
    ExecutorService executor =
        DaemonThreads.pool(
            () -> "portcullis-status",
            MAX_PARALLEL_REQUESTS,
            MAX_PARALLEL_REQUESTS,
            Duration.ZERO,
            new LinkedBlockingQueue<>(),
            new AbortPolicy());
    try {
      List<Callable<Config>> requests = new ArrayList<>();
      nodes.forEach(node -> requests.add(() -> checked(node, client.status(node).fields())));
      List<Future<Config>> responses = executor.invokeAll(requests);
      for (int i = 0; i < nodes.size(); i++) {
        add(nodes.get(i), responses.get(i));
      }
    } finally {
      executor.shutdownNow();
    }
  }

  private void add(NodeAddress node, Future<Config> response) throws InterruptedException {
    try {
      statuses.put(node, response.get());
    } catch (ExecutionException e) {
      failures.put(
          node,
          e.getCause() instanceof NodeUnreachableException failure
              ? failure.why()
              : String.valueOf(e.getCause()));
    }
  }

  /** Checks that the JSON is the status of a node with elections. */
  private static Config checked(NodeAddress node, Config status) throws NodeUnreachableException {
    try {
      rows(node, status, Instant.now());
      return status;
    } catch (ConfigException | DateTimeException e) {
      throw new NodeUnreachableException("responds, but not like an agent of this version", e);
    }
  }

  /**
   * Also queries the other members that the nodes list, at the same HTTP port as the node that
   * lists them. A member whose agent does not respond there is displayed as the other members see
   * it: its port may be blocked, or differ if several members run on one host.
   */
  void addMembers(NodeClient client) throws InterruptedException {
    Map<String, QuorumMemberStatus> members = new TreeMap<>();
    statuses.forEach(
        (node, status) ->
            QuorumMemberStatus.of(node, status).forEach(each -> members.put(each.key(), each)));
    List<NodeAddress> others =
        members.values().stream()
            .map(QuorumMemberStatus::agent)
            .distinct()
            .filter(node -> !statuses.containsKey(node) && !failures.containsKey(node))
            .toList();
    ClusterStatus found = of(others, client);
    Set<NodeAddress> responding = new HashSet<>(statuses.keySet());
    responding.addAll(found.statuses.keySet());
    found.statuses.forEach(
        (node, status) -> {
          if (!identities().contains(status.getString("node"))) {
            statuses.put(node, status);
          }
        });
    members.values().stream()
        .filter(member -> !identities().contains(member.identity()))
        .map(member -> member.row(responding.contains(member.agent())))
        .forEach(unreachable::add);
  }

  private Set<String> identities() {
    Set<String> identities = new TreeSet<>();
    statuses.values().forEach(status -> identities.add(status.getString("node")));
    return identities;
  }

  /** Whether all queried or listed nodes have responded. */
  boolean isComplete() {
    return failures.isEmpty() && unreachable.isEmpty();
  }

  List<StatusRow> rows(Instant now) {
    List<StatusRow> rows = new ArrayList<>();
    statuses.forEach((node, status) -> rows.addAll(rows(node, status, now)));
    rows.addAll(unreachable);
    failures.forEach((node, why) -> rows.add(StatusRow.noResponse(node, why)));
    return rows;
  }

  private static List<StatusRow> rows(NodeAddress node, Config status, Instant now) {
    List<StatusRow> rows = new ArrayList<>();
    for (String name : new TreeSet<>(status.getConfig("elections").root().keySet())) {
      rows.add(StatusRow.of(node, status, name, now));
    }
    return rows;
  }

  /** The unchanged responses of all nodes, as one JSON document on one line. */
  String json() {
    List<Object> nodes = new ArrayList<>();
    statuses.forEach(
        (node, status) ->
            nodes.add(Map.of("address", node.toString(), "status", status.root().unwrapped())));
    failures.forEach((node, why) -> nodes.add(Map.of("address", node.toString(), "error", why)));
    unreachable.forEach(row -> nodes.add(Map.of("address", row.address(), "error", row.why())));
    return ConfigValueFactory.fromMap(Map.of("nodes", nodes)).render(ConfigRenderOptions.concise());
  }

  /** One sentence per node with a configuration change that it has not applied. */
  List<String> pendingReloads() {
    return statuses.values().stream()
        .filter(status -> status.hasPath("pendingReload.why"))
        .map(
            status ->
                "Configuration change not applied on %s: %s"
                    .formatted(status.getString("node"), status.getString("pendingReload.why")))
        .map(StatusRow::plain)
        .toList();
  }

  /** What the rules of the nodes do not refuse: one sentence each. */
  List<String> rulesThatRefuseNothing() {
    return statuses.values().stream()
        .flatMap(status -> RuleRemarks.of(status).stream())
        .map(StatusRow::plain)
        .toList();
  }

  /**
   * The elections that nobody leads, as far as the nodes know that were asked. The word of a node
   * that another one leads does not count if that one was asked too and does not lead.
   */
  List<String> leaderless() {
    List<StatusRow> participants =
        rows(Instant.now()).stream().filter(StatusRow::participates).toList();
    Set<String> asked = identities();
    return participants.stream()
        .map(StatusRow::election)
        .distinct()
        .filter(
            election ->
                participants.stream()
                    .filter(row -> row.election().equals(election))
                    .noneMatch(
                        row ->
                            row.isLeader() || (row.knowsLeader() && !asked.contains(row.leader()))))
        .toList();
  }

  /** The leaders other than the node itself that nodes name, with their addresses, by election. */
  Map<String, String> otherLeaders() {
    Map<String, String> leaders = new TreeMap<>();
    for (Config status : statuses.values()) {
      Config elections = status.getConfig("elections");
      for (String election : elections.root().keySet()) {
        Config fields = elections.getConfig(ConfigUtil.joinPath(election));
        if (fields.hasPath("leader")
            && !fields.getString("leader").equals(status.getString("node"))) {
          String address =
              fields.hasPath("leaderAddress") ? " at " + fields.getString("leaderAddress") : "";
          leaders.put(
              StatusRow.plain(election), StatusRow.plain(fields.getString("leader") + address));
        }
      }
    }
    return leaders;
  }

  /** A warning if more than one node reports that it leads the same election. */
  Optional<String> contradiction() {
    Map<String, List<String>> leaders = new LinkedHashMap<>();
    for (StatusRow row : rows(Instant.now())) {
      if (row.isLeader()) {
        leaders.computeIfAbsent(row.election(), name -> new ArrayList<>()).add(row.node());
      }
    }
    return leaders.entrySet().stream()
        .filter(each -> each.getValue().size() > 1)
        .map(
            each ->
                "In election "
                    + each.getKey()
                    + " these nodes report that they lead: "
                    + String.join(", ", each.getValue())
                    + ". They were not queried at the same instant, so a handover can look like"
                    + " this; if it persists, they do not share one store key or member list.")
        .findFirst();
  }

  /**
   * A quorum member as another node lists it.
   *
   * @param name the name in the member list
   * @param identity the member's process, empty if it is not connected
   * @param agent presumed address of its agent: its host with the HTTP port of the listing node
   * @param observer the node that lists it
   */
  record QuorumMemberStatus(
      String election, String name, String identity, NodeAddress agent, String observer) {

    /** All other members that this node lists; empty if its backend has no members. */
    static List<QuorumMemberStatus> of(NodeAddress node, Config status) {
      List<QuorumMemberStatus> members = new ArrayList<>();
      Config elections = status.getConfig("elections");
      for (String election : new TreeSet<>(elections.root().keySet())) {
        Config fields = elections.getConfig(ConfigUtil.joinPath(election));
        if (fields.hasPath("members")) {
          for (Config each : fields.getConfigList("members")) {
            member(node, status.getString("node"), election, each, members);
          }
        }
      }
      return members;
    }

    private static void member(
        NodeAddress node,
        String observer,
        String election,
        Config fields,
        List<QuorumMemberStatus> members) {
      try {
        if (!fields.getBoolean("self")) {
          String address = fields.getString("address");
          String host = address.substring(0, address.lastIndexOf(':'));
          members.add(
              new QuorumMemberStatus(
                  election,
                  fields.getString("name"),
                  fields.hasPath("node") ? fields.getString("node") : "",
                  NodeAddress.of(node.base().getScheme(), host, node.base().getPort()),
                  observer));
        }
      } catch (ConfigException | IllegalArgumentException | StringIndexOutOfBoundsException e) {
        // A node of another version may list members in another format; its own row is still shown.
      }
    }

    String key() {
      return election + "/" + name;
    }

    /**
     * The row of a member whose agent was not found, as the observer sees the member.
     *
     * @param otherAgentResponds whether the agent of another node responds at the presumed address
     */
    StatusRow row(boolean otherAgentResponds) {
      boolean reported = !identity.isEmpty();
      return StatusRow.unknown(
          reported ? identity : name,
          agent,
          election,
          (reported ? "reported by " : "not reported by ")
              + observer
              + (!reported
                  ? ""
                  : otherAgentResponds
                      ? "; the address of its agent is unknown, name it"
                      : "; its agent does not respond at " + agent));
    }
  }
}
