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
 * Loads the credentials of the HTTP client from files: certificates, key, kubeconfig. Changed files
 * are used for new connections; unreadable files do not replace the previous credentials. Files are
 * read on a dedicated thread, one at a time, because a program that a kubeconfig names may hang and
 * must not block requests.
 */
final class KubernetesCredentials implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");
  private static final Duration THREAD_IDLE_TIMEOUT = Duration.ofSeconds(10);

  /** Maximum number of threads that may start between counting and listing them. */
  private static final int MAX_NEW_THREADS = 16;

  /** A client, with the fingerprint of its files from before it was created. */
  private record LoadedClient(
      HttpClient client,
      Set<Thread> selectors,
      Config config,
      List<Path> files,
      FileFingerprint fingerprint) {
    /**
     * Whether the client can never send again. The JDK starts the client's selector thread itself,
     * so unlike the agent's threads it ends when the application interrupts it. Requests then fail,
     * or on JDK 17 never complete.
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

  /** Creates an instance; files are read at the first request. */
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

  /** Whether the credentials have been read at least once. */
  synchronized boolean areLoaded() {
    return loaded.isDone() && !loaded.isCompletedExceptionally();
  }

  /**
   * Returns the current client. The future is complete, except before the credentials are first
   * loaded; it fails with {@link ApiFailureException} if they can't be used.
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
      LoadedClient next = create();
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
      LoadedClient next = create();
      if (usesJvmTrust(next.config()) && !usesJvmTrust(old.config())) {
        throw new IllegalStateException(
            "the configuration no longer has the certificate of an authority");
      }
      synchronized (this) {
        if (closed) {
          next.client().close();
          return;
        }
        lastFingerprint = next.fingerprint();
        loaded =
            CompletableFuture.completedFuture(
                next); // Running requests may finish on the old client.
      }
      LOG.info("portcullis took up new credentials from {}", next.files());
    } catch (RuntimeException | LinkageError e) {
      LOG.warn(
          "portcullis keeps the credentials it has read before from {}: {}",
          old.files(),
          ApiClient.failureText(e));
    }
  }

  /** Whether a client without its own certificate authority uses the JVM's trust store. */
  private static boolean usesJvmTrust(Config config) {
    return config.getCaCertFile() == null && config.getCaCertData() == null;
  }

  private LoadedClient create() {
    List<Path> files = new ArrayList<>(List.of(access.source()));
    FileFingerprint source = FileFingerprint.of(files);
    Config config = access.config();
    List<Path> named =
        Stream.of(config.getCaCertFile(), config.getClientCertFile(), config.getClientKeyFile())
            .filter(Objects::nonNull)
            .map(Path::of)
            .toList();
    files.addAll(named);
    FileFingerprint fingerprint = source.and(FileFingerprint.of(named));
    CertificateCheck.check(config);
    // Other instances must not start selector threads between the two snapshots.
    synchronized (KubernetesCredentials.class) {
      Set<Thread> before = selectors();
      HttpClient client = client(config);
      Set<Thread> started = selectors();
      started.removeAll(before);
      return new LoadedClient(client, started, config, files, fingerprint);
    }
  }

  /** The selector threads of all HTTP clients in the agent's thread group. */
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
    config.setHttp2Disable(true); // HTTP/2 would keep using a dead connection.
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

  /** Validates certificates before they are used: fabric8 accepts files without certificates. */
  static final class CertificateCheck {
    private CertificateCheck() {}

    /** Throws if a configured certificate is missing or invalid. */
    static void check(Config config) {
      if (config.getCaCertFile() != null || config.getCaCertData() != null) {
        certificates("certificate-authority", config.getCaCertData(), config.getCaCertFile());
      }
      if (config.getClientCertFile() != null || config.getClientCertData() != null) {
        Collection<? extends Certificate> own =
            certificates(
                "client-certificate", config.getClientCertData(), config.getClientCertFile());
        // By default fabric8 detects an EC key only by the first line of the older key format.
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
        throw new IllegalStateException(from + " contains an invalid certificate", e);
      }
    }
  }

  /**
   * Adds the token to requests. After a refusal a new token is fetched for the next request; the
   * refused request is not sent again. Tokens of a kubeconfig are fetched in the background,
   * because that may run a program; meanwhile requests continue with the current token.
   */
  static final class SingleShotTokenInterceptor extends TokenRefreshInterceptor {
    private static final Logger LOG = LoggerFactory.getLogger(SingleShotTokenInterceptor.class);

    /** Maximum age of a token before it is fetched again, as in fabric8. */
    private static final Duration MAX_TOKEN_AGE = Duration.ofMinutes(1);

    private final Executor refreshExecutor;
    private final AtomicBoolean fetching = new AtomicBoolean();
    private volatile long fetchedNanos = System.nanoTime();

    /**
     * Creates an interceptor.
     *
     * @param refreshExecutor runs token fetches, which may take long
     */
    SingleShotTokenInterceptor(
        Config config, HttpClient.Factory factory, Executor refreshExecutor) {
      super(config, factory, Instant.now());
      this.refreshExecutor = refreshExecutor;
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
                // The next refusal fetches again. At shutdown a program may still be running.
                LOG.debug("credentials could not be refreshed", e);
              } finally {
                fetchedNanos = System.nanoTime();
                fetching.set(false);
              }
            });
      }
    }

    /** Ignores the headers: the request was already sent, the token is for the next one. */
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
