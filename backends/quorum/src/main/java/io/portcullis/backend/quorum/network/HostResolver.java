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
 * Where hosts are. Names are looked up on threads of their own, since a slow name server must not
 * hold up heartbeats; a few threads, since one slow name must not hold up the others.
 */
final class HostResolver implements AutoCloseable {
  private static final int MAX_THREADS = 4;
  private static final Duration MAX_IDLE = Duration.ofSeconds(5);
  private static final Pattern LITERAL =
      Pattern.compile("((25[0-5]|2[0-4]\\d|1?\\d?\\d)(\\.(?!$)|$)){4}|\\[?[0-9a-fA-F:.]*:.*");

  private final ThreadPoolExecutor threads;
  private final Lookup lookup;

  /** How a name is looked up; it may take its time. */
  interface Lookup {
    InetAddress[] find(String host) throws UnknownHostException;
  }

  HostResolver(String cluster, int hosts, Lookup lookup) {
    this.lookup = lookup;
    int most = Math.max(1, Math.min(hosts, MAX_THREADS));
    threads =
        DaemonThreads.pool(
            () -> "portcullis-" + cluster + "-names",
            most,
            most,
            MAX_IDLE,
            new LinkedBlockingQueue<>(), // The dialler asks for each member once at a time.
            new ThreadPoolExecutor.AbortPolicy());
  }

  /** The addresses of a host; at once if it is written as one. */
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
