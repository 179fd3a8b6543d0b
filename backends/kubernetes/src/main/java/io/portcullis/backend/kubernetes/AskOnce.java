package io.portcullis.backend.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.utils.TokenRefreshInterceptor;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;

/**
 * Shows the token. One that was refused is fetched anew for the next request; the one that was
 * refused is not sent again.
 */
final class AskOnce extends TokenRefreshInterceptor {
  AskOnce(Config config, HttpClient.Factory factory) {
    super(config, factory, Instant.now());
  }

  @Override
  public CompletableFuture<Boolean> afterFailure(
      BasicBuilder request, HttpResponse<?> response, RequestTags tags) {
    return super.afterFailure(request, response, tags).thenApply(refreshed -> false);
  }
}
