package io.portcullis.backend.postgres.fence;

import io.portcullis.election.threads.DaemonThreads;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of one host, looked up on demand on a thread of its own. Callers wait for a bounded
 * time from the start of the look-up, so a name server that does not answer costs that time only
 * once per look-up, however many callers there are. Thread-safe.
 */
final class HostAddresses {
  /** Maximum wait for a look-up, from its start. */
  static final Duration MAX_LOOKUP_WAIT = Duration.ofSeconds(2);

  /** Maximum age of a look-up before it is repeated. */
  static final Duration MAX_AGE = Duration.ofSeconds(5);

  /**
   * How long an address counts after the last look-up that found it, since a name may resolve to
   * several addresses in turn.
   */
  static final Duration MAX_KEPT = Duration.ofMinutes(10);

  /** How many addresses are kept. */
  static final int MAX_ADDRESSES = 64;

  /** Looks up a name; may block. */
  interface Lookup {
    InetAddress[] find(String host) throws UnknownHostException;
  }

  private final String host;
  private final Lookup lookup;
  private final LongSupplier ticker;
  private final Map<InetAddress, Long> seenAtNanos = new LinkedHashMap<>();
  private @Nullable CompletableFuture<Void> last;
  private long lastBeganNanos;

  HostAddresses(String host, Lookup lookup, LongSupplier ticker) {
    this.host = host;
    this.lookup = lookup;
    this.ticker = ticker;
  }

  /** The addresses that are known within that time; null if none was ever found. */
  @Nullable Set<InetAddress> current() {
    CompletableFuture<Void> asked;
    long leftNanos;
    synchronized (this) {
      long now = ticker.getAsLong();
      asked = last;
      if (asked == null || (asked.isDone() && now - lastBeganNanos >= MAX_AGE.toNanos())) {
        lastBeganNanos = now;
        asked = CompletableFuture.runAsync(this::lookUp, HostAddresses::start);
        last = asked;
      }
      leftNanos = lastBeganNanos + MAX_LOOKUP_WAIT.toNanos() - now;
    }
    await(asked, leftNanos);
    synchronized (this) {
      return seenAtNanos.isEmpty() ? null : Set.copyOf(seenAtNanos.keySet());
    }
  }

  private static void await(CompletableFuture<Void> asked, long leftNanos) {
    try {
      asked.get(Math.max(0, leftNanos), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (TimeoutException | ExecutionException e) {
      return; // What was known before still counts.
    }
  }

  private void lookUp() {
    InetAddress[] found;
    try {
      found = lookup.find(host);
    } catch (UnknownHostException e) {
      throw new CompletionException(e);
    }
    synchronized (this) {
      long now = ticker.getAsLong();
      seenAtNanos.values().removeIf(seen -> now - seen > MAX_KEPT.toNanos());
      for (InetAddress each : found) {
        seenAtNanos.remove(each); // So that the order is that of the last look-ups.
        seenAtNanos.put(each, now);
      }
      Iterator<InetAddress> oldest = seenAtNanos.keySet().iterator();
      while (seenAtNanos.size() > MAX_ADDRESSES) {
        oldest.next();
        oldest.remove();
      }
    }
  }

  /** Called on a thread of the application, from which the new thread must inherit nothing. */
  private static void start(Runnable task) {
    DaemonThreads.unstarted("portcullis-fence-lookup", task).start();
  }
}
