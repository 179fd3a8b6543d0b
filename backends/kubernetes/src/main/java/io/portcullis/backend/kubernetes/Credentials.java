package io.portcullis.backend.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.utils.TokenRefreshInterceptor;
import io.portcullis.election.backend.FileStand;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whom to trust and whom to be, as the files say it: certificates, key, kubeconfig. Files that
 * change are taken up for new connections; what can't be read does not replace what was. All of it
 * is read on a thread of its own, one thing at a time: a program that a kubeconfig names may hang,
 * and must hold up nobody.
 */
final class Credentials implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");
  private static final Duration IDLE = Duration.ofSeconds(10);

  /** A client, and how the files stood before it was made from them. */
  private record Made(HttpClient client, Config config, List<Path> files, FileStand stand) {}

  private final Access access;
  private final String name;
  private final Duration connectTimeout;
  private final ThreadPoolExecutor beside;
  private CompletableFuture<Made> made = new CompletableFuture<>();
  private FileStand seen = FileStand.of(List.of());
  private boolean reading;
  private boolean closed;

  /** Reads nothing yet. */
  Credentials(Access access, String name, Duration connectTimeout) {
    this.access = access;
    this.name = name;
    this.connectTimeout = connectTimeout;
    this.beside =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE.toMillis(),
            TimeUnit.MILLISECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, name + "-credentials");
              thread.setDaemon(true);
              return thread;
            },
            new ThreadPoolExecutor.DiscardPolicy());
    beside.allowCoreThreadTimeOut(true);
  }

  /** Whether they could be read at least once. */
  synchronized boolean areThere() {
    return made.isDone() && !made.isCompletedExceptionally();
  }

  /**
   * The client to send with now. Complete at once, but for the first one; fails with {@link
   * ApiFailure} if there is none.
   */
  CompletableFuture<HttpClient> client() {
    return current().thenApply(Made::client);
  }

  private synchronized CompletableFuture<Made> current() {
    if (closed) {
      return CompletableFuture.failedFuture(new ApiFailure("the client is closed"));
    }
    if (!areThere()) {
      if (!reading) {
        made = new CompletableFuture<>();
        CompletableFuture<Made> first = made;
        read(() -> begin(first));
      }
    } else if (!reading) {
      Made old = made.join();
      FileStand now = FileStand.of(old.files());
      if (!now.equals(seen)) {
        seen = now;
        read(() -> replace(old));
      }
    }
    return made;
  }

  private void read(Runnable task) {
    reading = true;
    beside.execute(
        () -> {
          try {
            task.run();
          } finally {
            synchronized (this) {
              reading = false;
            }
          }
        });
  }

  private void begin(CompletableFuture<Made> first) {
    try {
      Made next = make();
      synchronized (this) {
        seen = next.stand();
      }
      first.complete(next);
    } catch (RuntimeException | LinkageError e) {
      first.completeExceptionally(
          new ApiFailure("its credentials can't be used: " + ApiClient.sentence(e)));
    }
  }

  private void replace(Made old) {
    try {
      Made next = make();
      if (trustsTheJvms(next.config()) && !trustsTheJvms(old.config())) {
        throw new IllegalStateException("no authority's certificate is there any more");
      }
      synchronized (this) {
        if (closed) {
          next.client().close();
          return;
        }
        seen = next.stand();
        made = CompletableFuture.completedFuture(next); // Who still uses the old one may end.
      }
      LOG.info("portcullis took up new credentials from {}", next.files());
    } catch (RuntimeException | LinkageError e) {
      LOG.warn(
          "portcullis keeps the credentials it has read before from {}: {}",
          old.files(),
          ApiClient.sentence(e));
    }
  }

  /** Without an authority of its own a client trusts whom the JVM trusts. */
  private static boolean trustsTheJvms(Config config) {
    return config.getCaCertFile() == null && config.getCaCertData() == null;
  }

  private Made make() {
    List<Path> files = new ArrayList<>(List.of(access.source()));
    FileStand source = FileStand.of(files);
    Config config = access.config();
    List<Path> named =
        Stream.of(config.getCaCertFile(), config.getClientCertFile(), config.getClientKeyFile())
            .filter(Objects::nonNull)
            .map(Path::of)
            .toList();
    files.addAll(named);
    FileStand stand = source.and(FileStand.of(named));
    Papers.check(config);
    return new Made(client(config), config, files, stand);
  }

  private HttpClient client(Config config) {
    config.setRequestRetryBackoffLimit(0);
    config.setConnectionTimeout((int) connectTimeout.toMillis());
    config.setHttp2Disable(true); // There a dead connection would be used again and again.
    config.setUserAgent("portcullis");
    QuietHttp factory = new QuietHttp(name, config);
    try {
      return factory
          .newBuilder(config)
          .addOrReplaceInterceptor(
              TokenRefreshInterceptor.NAME, new AskOnce(config, factory, beside))
          .build();
    } catch (RuntimeException | LinkageError e) {
      factory.end();
      throw e;
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    beside.shutdownNow();
    Future<?> unused = made.thenAccept(last -> last.client().close());
  }
}
