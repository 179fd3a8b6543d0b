package io.portcullis.backend.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientImpl;
import io.portcullis.election.threads.DaemonThreads;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;

/**
 * The JDK's HTTP client with threads of its own, and without what belongs to the application: its
 * proxy selector is not asked.
 */
final class IsolatedHttpClientFactory extends JdkHttpClientFactory {
  /** After so long without work a thread ends. */
  private static final Duration THREAD_IDLE_TIMEOUT = Duration.ofSeconds(10);

  private final ThreadPoolExecutor threads;
  private final boolean direct;

  IsolatedHttpClientFactory(String name, Config config) {
    direct = config.getHttpProxy() == null && config.getHttpsProxy() == null;
    threads =
        DaemonThreads.pool(
            () -> name,
            0,
            Integer.MAX_VALUE,
            THREAD_IDLE_TIMEOUT,
            new SynchronousQueue<>(),
            (task, ended) -> task.run()); // What is left to be done when it is closed.
  }

  @Override
  protected HttpClient.Builder createNewHttpClientBuilder() {
    HttpClient.Builder builder = HttpClient.newBuilder().executor(threads);
    return direct ? builder.proxy(HttpClient.Builder.NO_PROXY) : builder;
  }

  /**
   * Follows nobody elsewhere: a write that was turned into a reading would look as if it had been
   * carried out, and the token is for this server alone.
   */
  @Override
  protected void additionalConfig(HttpClient.Builder builder) {
    builder.followRedirects(HttpClient.Redirect.NEVER);
  }

  @Override
  protected void closeHttpClient(JdkHttpClientImpl client) {
    shutdown();
  }

  /**
   * Ends its threads. The JDK's own one ends by itself, with its connections, once the client is
   * forgotten and no request is under way.
   */
  void shutdown() {
    threads.shutdownNow();
  }
}
