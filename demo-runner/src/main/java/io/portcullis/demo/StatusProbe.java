package io.portcullis.demo;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Requests the status of several agents concurrently. */
final class StatusProbe {
  private static final Duration REQUEST_TIMEOUT = Duration.ofMillis(800);

  private final String election;

  StatusProbe(String election) {
    this.election = election;
  }

  /** Returns one status per agent. */
  List<AgentStatus> statuses(List<URI> agents) {
    List<CompletableFuture<AgentStatus>> responses = agents.stream().map(this::request).toList();
    return responses.stream().map(CompletableFuture::join).toList();
  }

  private CompletableFuture<AgentStatus> request(URI agent) {
    HttpRequest request =
        HttpRequest.newBuilder(agent.resolve("/api/status")).timeout(REQUEST_TIMEOUT).build();
    return SharedHttpClient.CLIENT
        .sendAsync(request, HttpResponse.BodyHandlers.ofString())
        .thenApply(response -> AgentStatus.parse(election, response.body()))
        .exceptionally(failure -> AgentStatus.UNKNOWN);
  }
}
