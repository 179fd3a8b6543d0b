package io.portcullis.backend.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.internal.CertUtils;
import io.fabric8.kubernetes.client.utils.TokenRefreshInterceptor;
import io.portcullis.backend.kubernetes.ApiClient.ApiFailureException;
import io.portcullis.election.backend.FileFingerprint;
import io.portcullis.election.threads.DaemonThreads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whom to trust and whom to be, as the files say it: certificates, key, kubeconfig. Files that
 * change are taken up for new connections; what can't be read does not replace what was. All of it
 * is read on a thread of its own, one thing at a time: a program that a kubeconfig names may hang,
 * and must hold up nobody.
 */
final class KubernetesCredentials implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");
  private static final Duration THREAD_IDLE_TIMEOUT = Duration.ofSeconds(10);

  /** Maximum number of threads that may start between counting and listing them. */
  private static final int MAX_NEW_THREADS = 16;

  /** A client, and how the files stood before it was made from them. */
  private record LoadedClient(
      HttpClient client,
      Set<Thread> selectors,
      Config config,
      List<Path> files,
      FileFingerprint fingerprint) {
    /**
     * Whether it can never send again. The JDK starts the client's selector thread itself, so
     * unlike the agent's threads it ends when the application interrupts it; requests then fail, or
     * on JDK 17 are never answered.
     */
    boolean hasEnded() {
      return selectors.stream().anyMatch(thread -> !thread.isAlive());
    }
  }

  private final KubernetesAccess access;
  private final String name;
  private final Duration connectTimeout;
  private final ThreadPoolExecutor loaderThread;
  private CompletableFuture<LoadedClient> loaded = new CompletableFuture<>();
  private FileFingerprint lastFingerprint = FileFingerprint.of(List.of());
  private boolean reading;
  private boolean closed;

  /** Reads nothing yet. */
  KubernetesCredentials(KubernetesAccess access, String name, Duration connectTimeout) {
    this.access = access;
    this.name = name;
    this.connectTimeout = connectTimeout;
    this.loaderThread =
        DaemonThreads.pool(
            () -> name + "-credentials",
            1,
            1,
            THREAD_IDLE_TIMEOUT,
            new LinkedBlockingQueue<>(),
            new ThreadPoolExecutor.DiscardPolicy());
  }

  /** Whether they could be read at least once. */
  synchronized boolean areLoaded() {
    return loaded.isDone() && !loaded.isCompletedExceptionally();
  }

  /**
   * The client to send with now. Complete at once, but for the first one; fails with {@link
   * ApiFailureException} if there is none.
   */
  CompletableFuture<HttpClient> client() {
    return current().thenApply(LoadedClient::client);
  }

  private synchronized CompletableFuture<LoadedClient> current() {
    if (closed) {
      return CompletableFuture.failedFuture(new ApiFailureException("the client is closed"));
    }
    if (areLoaded() && loaded.join().hasEnded() && !reading) {
      LOG.warn("portcullis replaces its HTTP client, whose thread was interrupted");
      loaded.join().client().close();
      loaded = new CompletableFuture<>();
    }
    if (!areLoaded()) {
      if (!reading) {
        loaded = new CompletableFuture<>();
        CompletableFuture<LoadedClient> first = loaded;
        read(() -> begin(first));
      }
    } else if (!reading) {
      LoadedClient old = loaded.join();
      FileFingerprint now = FileFingerprint.of(old.files());
      if (!now.equals(lastFingerprint)) {
        lastFingerprint = now;
        read(() -> replace(old));
      }
    }
    return loaded;
  }

  private void read(Runnable task) {
    reading = true;
    loaderThread.execute(
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

  private void begin(CompletableFuture<LoadedClient> first) {
    try {
      LoadedClient next = make();
      synchronized (this) {
        lastFingerprint = next.fingerprint();
      }
      first.complete(next);
    } catch (RuntimeException | LinkageError e) {
      first.completeExceptionally(
          new ApiFailureException("its credentials can't be used: " + ApiClient.failureText(e)));
    }
  }

  private void replace(LoadedClient old) {
    try {
      LoadedClient next = make();
      if (usesJvmTrust(next.config()) && !usesJvmTrust(old.config())) {
        throw new IllegalStateException("no authority's certificate is there any more");
      }
      synchronized (this) {
        if (closed) {
          next.client().close();
          return;
        }
        lastFingerprint = next.fingerprint();
        loaded = CompletableFuture.completedFuture(next); // Who still uses the old one may end.
      }
      LOG.info("portcullis took up new credentials from {}", next.files());
    } catch (RuntimeException | LinkageError e) {
      LOG.warn(
          "portcullis keeps the credentials it has read before from {}: {}",
          old.files(),
          ApiClient.failureText(e));
    }
  }

  /** Without an authority of its own a client trusts whom the JVM trusts. */
  private static boolean usesJvmTrust(Config config) {
    return config.getCaCertFile() == null && config.getCaCertData() == null;
  }

  private LoadedClient make() {
    List<Path> files = new ArrayList<>(List.of(access.source()));
    FileFingerprint source = FileFingerprint.of(files);
    Config config = access.config();
    List<Path> named =
        Stream.of(config.getCaCertFile(), config.getClientCertFile(), config.getClientKeyFile())
            .filter(Objects::nonNull)
            .map(Path::of)
            .toList();
    files.addAll(named);
    FileFingerprint stand = source.and(FileFingerprint.of(named));
    CertificateCheck.check(config);
    synchronized (
        KubernetesCredentials.class) { // So that no other's thread is taken for this client's.
      Set<Thread> before = selectors();
      HttpClient client = client(config);
      Set<Thread> started = selectors();
      started.removeAll(before);
      return new LoadedClient(client, started, config, files, stand);
    }
  }

  /** The selector threads of all HTTP clients of the agent's. */
  private static Set<Thread> selectors() {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    Thread[] threads = new Thread[group.activeCount() + MAX_NEW_THREADS];
    int count = group.enumerate(threads, false);
    return Stream.of(threads)
        .limit(count)
        .filter(thread -> thread.getName().endsWith("-SelectorManager"))
        .collect(Collectors.toCollection(HashSet::new));
  }

  private HttpClient client(Config config) {
    config.setRequestRetryBackoffLimit(0);
    config.setConnectionTimeout((int) connectTimeout.toMillis());
    config.setHttp2Disable(true); // There a dead connection would be used again and again.
    config.setUserAgent("portcullis");
    IsolatedHttpClientFactory factory = new IsolatedHttpClientFactory(name, config);
    try {
      return factory
          .newBuilder(config)
          .addOrReplaceInterceptor(
              TokenRefreshInterceptor.NAME,
              new SingleShotTokenInterceptor(config, factory, loaderThread))
          .build();
    } catch (RuntimeException | LinkageError e) {
      factory.shutdown();
      throw e;
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    loaderThread.shutdownNow();
    Future<?> unused = loaded.thenAccept(last -> last.client().close());
  }

  /** Looks at certificates before they are used: fabric8 takes a file without any for an answer. */
  static final class CertificateCheck {
    private CertificateCheck() {}

    /** Throws with a sentence if there are none where some should be. */
    static void check(Config config) {
      if (config.getCaCertFile() != null || config.getCaCertData() != null) {
        certificates("certificate-authority", config.getCaCertData(), config.getCaCertFile());
      }
      if (config.getClientCertFile() != null || config.getClientCertData() != null) {
        Collection<? extends Certificate> own =
            certificates(
                "client-certificate", config.getClientCertData(), config.getClientCertFile());
        // Left alone, fabric8 knows a key of an elliptic curve only by the older form's first line.
        config.setClientKeyAlgo(own.iterator().next().getPublicKey().getAlgorithm());
      }
    }

    private static Collection<? extends Certificate> certificates(
        String key, @Nullable String data, @Nullable String file) {
      String from = key + (file == null || data != null ? "-data" : " " + file);
      try {
        Collection<? extends Certificate> found =
            CertificateFactory.getInstance("X.509")
                .generateCertificates(CertUtils.getInputStreamFromDataOrFile(data, file));
        if (found.isEmpty()) {
          throw new IllegalStateException(from + " holds no certificate");
        }
        return found;
      } catch (IOException e) {
        throw new UncheckedIOException(from + " can't be read: " + e, e);
      } catch (CertificateException e) {
        throw new IllegalStateException(from + " holds a broken certificate", e);
      }
    }
  }

  /**
   * Shows the token. One that was refused is fetched anew for the next request; the one that was
   * refused is not sent again. What a kubeconfig says is fetched beside the requests, since that
   * may run a program: while it takes its time, they go on with the token that is there.
   */
  static final class SingleShotTokenInterceptor extends TokenRefreshInterceptor {
    private static final Logger LOG = LoggerFactory.getLogger(SingleShotTokenInterceptor.class);

    /** As often as fabric8 does it. */
    private static final Duration MAX_TOKEN_AGE = Duration.ofMinutes(1);

    private final Executor refreshExecutor;
    private final AtomicBoolean fetching = new AtomicBoolean();
    private volatile long fetchedNanos = System.nanoTime();

    /**
     * @param beside where it may take long
     */
    SingleShotTokenInterceptor(Config config, HttpClient.Factory factory, Executor beside) {
      super(config, factory, Instant.now());
      this.refreshExecutor = beside;
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
      if (System.nanoTime() - fetchedNanos > MAX_TOKEN_AGE.toNanos()) {
        fetch(() -> super.before(new NoOpRequestBuilder(), request, tags));
      }
    }

    @Override
    public CompletableFuture<Boolean> afterFailure(
        BasicBuilder headers, HttpResponse<?> response, RequestTags tags) {
      if (shouldFail(response)) {
        return CompletableFuture.completedFuture(false);
      }
      fetch(() -> super.afterFailure(new NoOpRequestBuilder(), response, tags).join());
      return CompletableFuture.completedFuture(false);
    }

    private void fetch(Runnable task) {
      if (fetching.compareAndSet(false, true)) {
        refreshExecutor.execute(
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
    private static final class NoOpRequestBuilder implements BasicBuilder {
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
}
