package io.portcullis.demo;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Asks agents how they stand. */
final class StatusProbe {
  private static final Duration REQUEST_TIMEOUT = Duration.ofMillis(800);

  private final String election;

  StatusProbe(String election) {
    this.election = election;
  }

  /** One status for each address, asked for at the same time. */
  List<AgentStatus> ask(List<URI> agents) {
    List<CompletableFuture<AgentStatus>> answers = agents.stream().map(this::ask).toList();
    return answers.stream().map(CompletableFuture::join).toList();
  }

  private CompletableFuture<AgentStatus> ask(URI agent) {
    HttpRequest request =
        HttpRequest.newBuilder(agent.resolve("/api/status")).timeout(REQUEST_TIMEOUT).build();
    return SharedHttpClient.CLIENT
        .sendAsync(request, HttpResponse.BodyHandlers.ofString())
        .thenApply(answer -> AgentStatus.parse(election, answer.body()))
        .exceptionally(noAnswer -> AgentStatus.SILENT);
  }
}
