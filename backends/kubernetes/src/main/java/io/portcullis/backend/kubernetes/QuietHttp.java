package io.portcullis.backend.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientImpl;
import java.net.http.HttpClient;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The JDK's HTTP client with threads of its own, and without what belongs to the application: its
 * proxy selector is not asked.
 */
final class QuietHttp extends JdkHttpClientFactory {
  private final ExecutorService threads;
  private final boolean direct;

  QuietHttp(String name, Config config) {
    direct = config.getHttpProxy() == null && config.getHttpsProxy() == null;
    threads =
        Executors.newCachedThreadPool(
            task -> {
              Thread made = new Thread(task, name);
              made.setDaemon(true);
              return made;
            });
  }

  @Override
  protected HttpClient.Builder createNewHttpClientBuilder() {
    HttpClient.Builder builder = HttpClient.newBuilder().executor(threads);
    return direct ? builder.proxy(HttpClient.Builder.NO_PROXY) : builder;
  }

  @Override
  protected void closeHttpClient(JdkHttpClientImpl client) {
    end();
  }

  /** Ends its threads. */
  void end() {
    threads.shutdownNow();
  }
}
