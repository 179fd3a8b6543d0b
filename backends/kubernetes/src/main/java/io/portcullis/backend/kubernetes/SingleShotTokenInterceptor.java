package io.portcullis.backend.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.utils.TokenRefreshInterceptor;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows the token. One that was refused is fetched anew for the next request; the one that was
 * refused is not sent again. What a kubeconfig says is fetched beside the requests, since that may
 * run a program: while it takes its time, they go on with the token that is there.
 */
final class SingleShotTokenInterceptor extends TokenRefreshInterceptor {
  private static final Logger LOG = LoggerFactory.getLogger(SingleShotTokenInterceptor.class);

  /** As often as fabric8 does it. */
  private static final Duration FRESH = Duration.ofMinutes(1);

  private final Executor beside;
  private final AtomicBoolean fetching = new AtomicBoolean();
  private volatile long fetchedNanos = System.nanoTime();

  /**
   * @param beside where it may take long
   */
  SingleShotTokenInterceptor(Config config, HttpClient.Factory factory, Executor beside) {
    super(config, factory, Instant.now());
    this.beside = beside;
  }

  @Override
  public void before(BasicBuilder headers, HttpRequest request, RequestTags tags) {
    if (config.getOauthTokenProvider() != null || isBasicAuth()) {
      super.before(headers, request, tags);
      return;
    }
    String fixed = config.getOauthToken();
    String token = fixed == null ? config.getAutoOAuthToken() : fixed;
    if (token != null && !token.isEmpty()) {
      headers.header(AUTHORIZATION, "Bearer " + token);
    }
    if (System.nanoTime() - fetchedNanos > FRESH.toNanos()) {
      fetch(() -> super.before(new Unsent(), request, tags));
    }
  }

  @Override
  public CompletableFuture<Boolean> afterFailure(
      BasicBuilder headers, HttpResponse<?> response, RequestTags tags) {
    if (shouldFail(response)) {
      return CompletableFuture.completedFuture(false);
    }
    fetch(() -> super.afterFailure(new Unsent(), response, tags).join());
    return CompletableFuture.completedFuture(false);
  }

  private void fetch(Runnable task) {
    if (fetching.compareAndSet(false, true)) {
      beside.execute(
          () -> {
            try {
              task.run();
            } catch (RuntimeException e) {
              // The next refusal fetches again; at the end of a node a program may still run.
              LOG.debug("credentials were not fetched anew", e);
            } finally {
              fetchedNanos = System.nanoTime();
              fetching.set(false);
            }
          });
    }
  }

  /** The request is gone already; the token is kept for the next one. */
  private static final class Unsent implements BasicBuilder {
    @Override
    public BasicBuilder uri(URI uri) {
      return this;
    }

    @Override
    public BasicBuilder header(String name, String value) {
      return this;
    }

    @Override
    public BasicBuilder setHeader(String name, String value) {
      return this;
    }
  }
}
