package io.portcullis.agent.http;

import io.portcullis.agent.node.ElectionView;
import io.portcullis.agent.node.NodeView;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Which path shows what to everybody. Knows nothing of sockets. */
final class Paths {
  private static final String LEADER_OF = "/leader/";

  private final Supplier<NodeView> node;
  private final Function<NodeView, String> metrics;
  private final boolean readyWhenLeader;

  Paths(Supplier<NodeView> node, Function<NodeView, String> metrics, boolean readyWhenLeader) {
    this.node = node;
    this.metrics = metrics;
    this.readyWhenLeader = readyWhenLeader;
  }

  Reply answer(String method, String uri) {
    int query = uri.indexOf('?');
    String path = query < 0 ? uri : uri.substring(0, query);
    Optional<Reply> known = read(path);
    if (known.isEmpty()) {
      return Reply.json(
          404,
          Json.error(
              "There is / /healthz /readyz /leader /leader/{election} /metrics /api/status."));
    }
    return method.equals("GET") || method.equals("HEAD")
        ? known.get()
        : Reply.notAllowed("GET, HEAD");
  }

  private Optional<Reply> read(String path) {
    if (path.equals("/")) {
      return Optional.of(StatusPage.reply());
    }
    NodeView view = node.get();
    return switch (path) {
      case "/healthz" -> Optional.of(probe(view, view.isHealthy()));
      case "/readyz" -> Optional.of(probe(view, isReady(view)));
      case "/leader" -> Optional.of(probe(view, view.mayAct()));
      case "/metrics" -> Optional.of(Reply.metrics(metrics.apply(view)));
      case "/api/status" -> Optional.of(Reply.json(200, Json.status(view)));
      default -> path.startsWith(LEADER_OF) ? leaderOf(view, path) : Optional.empty();
    };
  }

  private boolean isReady(NodeView view) {
    return readyWhenLeader ? view.mayAct() : view.isParticipating();
  }

  private static Optional<Reply> leaderOf(NodeView view, String path) {
    String name = path.substring(LEADER_OF.length());
    return view.elections().stream()
        .filter(election -> election.name().equals(name))
        .map(ElectionView::mayAct)
        .map(leads -> probe(view, leads))
        .findFirst();
  }

  private static Reply probe(NodeView view, boolean yes) {
    return Reply.json(yes ? 200 : 503, Json.probe(view));
  }
}
