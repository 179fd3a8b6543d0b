package io.portcullis.agent.http;

import io.portcullis.agent.config.HttpSection;
import io.portcullis.agent.config.HttpSection.ReadyWhen;
import io.portcullis.agent.http.HttpEndpoint.EndpointSources;
import io.portcullis.agent.node.NodeView;
import io.portcullis.agent.node.ReloadOutcome;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** HTTP endpoints that show a node's status without admin commands. */
final class HttpEndpointFixture {
  private HttpEndpointFixture() {}

  static HttpEndpoint on(int port, Supplier<NodeView> node) {
    return new HttpEndpoint(section(port), served(node));
  }

  static HttpSection section(int port) {
    return new HttpSection(
        true, "127.0.0.1", port, ReadyWhen.PARTICIPATING, Optional.empty(), Optional.empty());
  }

  static EndpointSources served(Supplier<NodeView> node) {
    return new EndpointSources(
        node,
        view -> "metrics of " + view.info().identity(),
        List.of(),
        () -> new ReloadOutcome(ReloadOutcome.Result.NEEDS_RESTART, "refused", List.of()),
        () -> "{}");
  }
}
