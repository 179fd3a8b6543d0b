package io.portcullis.backend.quorum.network;

import io.portcullis.election.threads.DaemonThreads;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.regex.Pattern;

/**
 * Asynchronous host name lookup. Names are looked up on separate threads, so that a slow name
 * server does not delay heartbeats, and on several of them, so that one slow name does not delay
 * the others.
 */
final class HostResolver implements AutoCloseable {
  private static final int MAX_THREADS = 4;
  private static final Duration MAX_IDLE = Duration.ofSeconds(5);
  private static final Pattern LITERAL =
      Pattern.compile("((25[0-5]|2[0-4]\\d|1?\\d?\\d)(\\.(?!$)|$)){4}|\\[?[0-9a-fA-F:.]*:.*");

  private final ThreadPoolExecutor threads;
  private final Lookup lookup;

  /** Looks up a name; may block. */
  interface Lookup {
    InetAddress[] find(String host) throws UnknownHostException;
  }

  HostResolver(String cluster, int hosts, Lookup lookup) {
    this.lookup = lookup;
    int size = Math.max(1, Math.min(hosts, MAX_THREADS));
    threads =
        DaemonThreads.pool(
            () -> "portcullis-" + cluster + "-names",
            size,
            size,
            MAX_IDLE,
            new LinkedBlockingQueue<>(), // At most one lookup per member is pending.
            new ThreadPoolExecutor.AbortPolicy());
  }

  /** Returns the addresses of a host; completes immediately for a literal address. */
  CompletableFuture<List<InetAddress>> find(String host) {
    if (!LITERAL.matcher(host).matches()) {
      return CompletableFuture.supplyAsync(() -> addresses(host, lookup), threads);
    }
    try {
      return CompletableFuture.completedFuture(List.of(InetAddress.getByName(host)));
    } catch (UnknownHostException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private static List<InetAddress> addresses(String host, Lookup lookup) {
    try {
      return List.of(lookup.find(host));
    } catch (UnknownHostException e) {
      throw new CompletionException("unknown host " + host, e);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
