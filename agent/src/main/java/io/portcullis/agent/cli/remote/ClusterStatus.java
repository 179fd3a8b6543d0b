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

/** All the nodes that were asked, at about one moment. */
final class ClusterStatus {
  private static final int MAX_AT_ONCE = 16;

  private final Map<NodeAddress, Config> answers = new LinkedHashMap<>();
  private final Map<NodeAddress, String> silent = new LinkedHashMap<>();
  private final List<StatusRow> unseen = new ArrayList<>();

  private ClusterStatus() {}

  /** Asks them all at once: one that does not answer holds up no other. */
  static ClusterStatus of(List<NodeAddress> nodes, NodeClient client) throws InterruptedException {
    ClusterStatus sight = new ClusterStatus();
    sight.ask(nodes, client);
    return sight;
  }

  private void ask(List<NodeAddress> nodes, NodeClient client) throws InterruptedException {
    ExecutorService askers =
        DaemonThreads.pool(
            () -> "portcullis-status",
            MAX_AT_ONCE,
            MAX_AT_ONCE,
            Duration.ZERO,
            new LinkedBlockingQueue<>(),
            new AbortPolicy());
    try {
      List<Callable<Config>> questions = new ArrayList<>();
      nodes.forEach(node -> questions.add(() -> checked(client.status(node).fields())));
      List<Future<Config>> asked = askers.invokeAll(questions);
      for (int i = 0; i < nodes.size(); i++) {
        take(nodes.get(i), asked.get(i));
      }
    } finally {
      askers.shutdownNow();
    }
  }

  private void take(NodeAddress node, Future<Config> answer) throws InterruptedException {
    try {
      answers.put(node, answer.get());
    } catch (ExecutionException e) {
      silent.put(
          node,
          e.getCause() instanceof NodeUnreachableException no
              ? no.what()
              : String.valueOf(e.getCause()));
    }
  }

  /** Whatever else it may be, it is a node with elections. */
  private static Config checked(Config status) throws NodeUnreachableException {
    try {
      rows(status, Instant.now());
      return status;
    } catch (ConfigException | DateTimeException e) {
      throw new NodeUnreachableException("answers, but not as an agent of this version does", e);
    }
  }

  /**
   * Also asks the other members that the nodes name, at the port of who named them. A member whose
   * agent does not answer there is shown as the others see it: its port may be shut to the world,
   * or, with several on one host, be another one.
   */
  void addMembers(NodeClient client) throws InterruptedException {
    Map<String, QuorumMemberStatus> members = new TreeMap<>();
    answers.forEach(
        (node, status) ->
            QuorumMemberStatus.of(node, status).forEach(each -> members.put(each.key(), each)));
    List<NodeAddress> others =
        members.values().stream()
            .map(QuorumMemberStatus::agent)
            .distinct()
            .filter(node -> !answers.containsKey(node) && !silent.containsKey(node))
            .toList();
    ClusterStatus found = of(others, client);
    Set<NodeAddress> taken = new HashSet<>(answers.keySet());
    taken.addAll(found.answers.keySet());
    found.answers.forEach(
        (node, status) -> {
          if (!identities().contains(status.getString("node"))) {
            answers.put(node, status);
          }
        });
    members.values().stream()
        .filter(member -> !identities().contains(member.identity()))
        .map(member -> member.row(taken.contains(member.agent())))
        .forEach(unseen::add);
  }

  private Set<String> identities() {
    Set<String> identities = new TreeSet<>();
    answers.values().forEach(status -> identities.add(status.getString("node")));
    return identities;
  }

  /** Whether all that were asked or named have answered. */
  boolean isComplete() {
    return silent.isEmpty() && unseen.isEmpty();
  }

  List<StatusRow> rows(Instant now) {
    List<StatusRow> rows = new ArrayList<>();
    answers.values().forEach(status -> rows.addAll(rows(status, now)));
    rows.addAll(unseen);
    silent.forEach((node, why) -> rows.add(StatusRow.unanswered(node, why)));
    return rows;
  }

  private static List<StatusRow> rows(Config status, Instant now) {
    Config elections = status.getConfig("elections");
    List<StatusRow> rows = new ArrayList<>();
    for (String name : new TreeSet<>(elections.root().keySet())) {
      Config fields = elections.getConfig(ConfigUtil.joinPath(name));
      rows.add(StatusRow.of(status.getString("node"), name, fields, now));
    }
    return rows;
  }

  /** What the nodes said, as it was said, in one document of one line. */
  String json() {
    List<Object> nodes = new ArrayList<>();
    answers.forEach(
        (node, status) ->
            nodes.add(Map.of("address", node.toString(), "status", status.root().unwrapped())));
    silent.forEach((node, why) -> nodes.add(Map.of("address", node.toString(), "error", why)));
    unseen.forEach(row -> nodes.add(Map.of("address", row.node(), "error", row.why())));
    return ConfigValueFactory.fromMap(Map.of("nodes", nodes)).render(ConfigRenderOptions.concise());
  }

  /** A sentence for each node with a change of its configuration that it has not taken up. */
  List<String> pendingReloads() {
    return answers.values().stream()
        .filter(status -> status.hasPath("pendingReload.why"))
        .map(
            status ->
                "Not in force on %s: %s"
                    .formatted(status.getString("node"), status.getString("pendingReload.why")))
        .map(StatusRow::plain)
        .toList();
  }

  /** A sentence if more than one node says that it leads an election. */
  Optional<String> contradiction() {
    Map<String, List<String>> leaders = new LinkedHashMap<>();
    for (StatusRow row : rows(Instant.now())) {
      if (row.role().equals("LEADER")) {
        leaders.computeIfAbsent(row.election(), name -> new ArrayList<>()).add(row.node());
      }
    }
    return leaders.entrySet().stream()
        .filter(each -> each.getValue().size() > 1)
        .map(
            each ->
                "In election "
                    + each.getKey()
                    + " these say that they lead: "
                    + String.join(", ", each.getValue())
                    + ". They were not asked in the same instant, so a hand-over may look so; if it"
                    + " stays, they do not share one store key or member list.")
        .findFirst();
  }

  /**
   * A member of a quorum as another one names it.
   *
   * @param election the election
   * @param name its name in the list of members
   * @param identity the process that speaks for it, empty if it is not heard
   * @param agent where its agent answers, if it does so at the port of who names it
   * @param witness who names it
   */
  record QuorumMemberStatus(
      String election, String name, String identity, NodeAddress agent, String witness) {

    /** All that this node names but itself; none if it is of another kind. */
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
        String witness,
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
                  witness));
        }
      } catch (ConfigException | IllegalArgumentException | StringIndexOutOfBoundsException e) {
        // A node of another version may name its members in another way; it is shown all the same.
      }
    }

    String key() {
      return election + "/" + name;
    }

    /**
     * What the others say of it.
     *
     * @param other whether another node answers where its agent was looked for
     */
    StatusRow row(boolean other) {
      boolean heard = !identity.isEmpty();
      return new StatusRow(
          StatusRow.plain(heard ? identity : name),
          StatusRow.plain(election),
          "?",
          "-",
          "-",
          "-",
          "-",
          StatusRow.plain(
              (heard ? "heard by " : "not heard by ")
                  + witness
                  + (!heard
                      ? ""
                      : other
                          ? "; where its agent answers is not known, name its address"
                          : "; its agent does not answer at " + agent)));
    }
  }
}
