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
 * Creates JDK HTTP clients that are isolated from the application: with their own threads, and
 * without the application's default proxy selector.
 */
final class IsolatedHttpClientFactory extends JdkHttpClientFactory {
  /** Idle threads end after this time. */
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
            (task, ended) -> task.run()); // Runs tasks submitted after shutdown in the caller.
  }

  @Override
  protected HttpClient.Builder createNewHttpClientBuilder() {
    HttpClient.Builder builder = HttpClient.newBuilder().executor(threads);
    return direct ? builder.proxy(HttpClient.Builder.NO_PROXY) : builder;
  }

  /**
   * Disables redirects: a write that is redirected as a GET would appear to have succeeded, and the
   * token must not be sent to another server.
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
   * Ends the threads of this factory. The JDK's selector thread ends with its connections once the
   * client is garbage collected and no request is running.
   */
  void shutdown() {
    threads.shutdownNow();
  }
}
