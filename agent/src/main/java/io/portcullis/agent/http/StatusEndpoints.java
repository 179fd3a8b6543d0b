package io.portcullis.agent.http;

import io.portcullis.agent.node.ElectionView;
import io.portcullis.agent.node.NodeView;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Which path shows what to everybody. Knows nothing of sockets. */
final class StatusEndpoints {
  private static final String LEADER_OF = "/leader/";

  private final Supplier<NodeView> node;
  private final Function<NodeView, String> metrics;
  private final boolean readyWhenLeader;

  StatusEndpoints(
      Supplier<NodeView> node, Function<NodeView, String> metrics, boolean readyWhenLeader) {
    this.node = node;
    this.metrics = metrics;
    this.readyWhenLeader = readyWhenLeader;
  }

  HttpResponse answer(String method, String uri) {
    int query = uri.indexOf('?');
    String path = query < 0 ? uri : uri.substring(0, query);
    Optional<HttpResponse> known = read(path);
    if (known.isEmpty()) {
      return HttpResponse.json(
          404,
          StatusJson.error(
              "There is / /healthz /readyz /leader /leader/{election} /metrics /api/status."));
    }
    return method.equals("GET") || method.equals("HEAD")
        ? known.get()
        : HttpResponse.notAllowed("GET, HEAD");
  }

  private Optional<HttpResponse> read(String path) {
    if (path.equals("/")) {
      return Optional.of(StatusPage.reply());
    }
    NodeView view = node.get();
    return switch (path) {
      case "/healthz" -> Optional.of(probe(view, view.isHealthy()));
      case "/readyz" -> Optional.of(probe(view, isReady(view)));
      case "/leader" -> Optional.of(probe(view, view.mayAct()));
      case "/metrics" -> Optional.of(HttpResponse.metrics(metrics.apply(view)));
      case "/api/status" -> Optional.of(HttpResponse.json(200, StatusJson.status(view)));
      default -> path.startsWith(LEADER_OF) ? leaderOf(view, path) : Optional.empty();
    };
  }

  private boolean isReady(NodeView view) {
    return readyWhenLeader ? view.mayAct() : view.isParticipating();
  }

  private static Optional<HttpResponse> leaderOf(NodeView view, String path) {
    String name = path.substring(LEADER_OF.length());
    return view.elections().stream()
        .filter(election -> election.name().equals(name))
        .map(ElectionView::mayAct)
        .map(leads -> probe(view, leads))
        .findFirst();
  }

  private static HttpResponse probe(NodeView view, boolean yes) {
    return HttpResponse.json(yes ? 200 : 503, StatusJson.probe(view));
  }
}
