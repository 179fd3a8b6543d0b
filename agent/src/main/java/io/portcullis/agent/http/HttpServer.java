package io.portcullis.agent.http;

import io.portcullis.election.threads.DaemonThreads;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets clients in, as many as there is room for. Whoever comes when all places are taken gets that
 * of the client which has kept us waiting longest: so dawdlers, however many, keep nobody out, and
 * an honest request, which takes milliseconds, is the last to go.
 *
 * <p>A blocked thread a client, since they are few by decree: reading, TLS and orders that take
 * their time stay plain code, and no client can spoil a loop that serves the others.
 */
final class HttpServer {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  private final HttpConnection.SocketWrapper wrapping;
  private final Function<HttpRequest, HttpResponse> handler;
  private final Set<HttpConnection> connections = ConcurrentHashMap.newKeySet();
  private final AtomicInteger number = new AtomicInteger();
  private final ThreadPoolExecutor threads =
      DaemonThreads.pool(
          () -> "portcullis-http-" + number.incrementAndGet(),
          0,
          HttpLimits.MAX_THREADS,
          HttpLimits.THREAD_KEEP_ALIVE,
          new SynchronousQueue<>(),
          new ThreadPoolExecutor.AbortPolicy());

  HttpServer(HttpConnection.SocketWrapper wrapping, Function<HttpRequest, HttpResponse> reception) {
    this.wrapping = wrapping;
    this.handler = reception;
  }

  /** Lets clients in until the socket fails. Wakes for nothing while nobody is there. */
  void acceptConnections(ServerSocket door) throws IOException {
    try {
      while (true) {
        door.setSoTimeout(
            connections.isEmpty() ? 0 : (int) HttpLimits.OVERDUE_CHECK_INTERVAL.toMillis());
        try {
          admit(door.accept());
        } catch (SocketTimeoutException e) {
          // Time to look for those who are overdue.
        }
        closeOverdue(System.nanoTime());
      }
    } finally {
      connections.forEach(HttpConnection::close);
      threads.shutdown();
    }
  }

  private void admit(Socket socket) {
    HttpConnection visit = new HttpConnection(socket, wrapping, handler);
    long start = System.nanoTime();
    while (awaitRoom(start)) {
      connections.add(visit);
      try {
        threads.execute(() -> serve(visit));
        return;
      } catch (RejectedExecutionException e) {
        // A thread that had ended its work has not said so yet.
        connections.remove(visit);
        LockSupport.parkNanos(HttpLimits.ADMISSION_POLL_INTERVAL.toNanos());
      } catch (OutOfMemoryError e) { // The system gives the process no more threads.
        break;
      }
    }
    end(visit);
  }

  /** Where all wait for us, and not we for them, there is room as soon as one has its answer. */
  private boolean awaitRoom(long start) {
    if (System.nanoTime() - start - HttpLimits.MAX_ADMISSION_TIME.toNanos() > 0) {
      return false;
    }
    while (connections.size() >= HttpLimits.MAX_CONNECTIONS
        || threads.getActiveCount() >= HttpLimits.MAX_THREADS) {
      long now = System.nanoTime();
      if (now - start - HttpLimits.MAX_ADMISSION_TIME.toNanos() > 0) {
        return false;
      }
      Optional<HttpConnection> slowest =
          connections.size() >= HttpLimits.MAX_CONNECTIONS ? slowest(now) : Optional.empty();
      slowest.ifPresentOrElse(
          this::end, () -> LockSupport.parkNanos(HttpLimits.ADMISSION_POLL_INTERVAL.toNanos()));
    }
    return true;
  }

  private Optional<HttpConnection> slowest(long now) {
    return connections.stream()
        .filter(visit -> visit.waitedNanos(now) >= 0)
        .max(Comparator.comparingLong(visit -> visit.waitedNanos(now)));
  }

  private void closeOverdue(long now) {
    connections.stream().filter(visit -> visit.isOverdue(now)).forEach(this::end);
  }

  private void serve(HttpConnection visit) {
    try {
      visit.serve();
    } catch (IOException e) {
      LOG.debug("portcullis a client went, or was made to go: {}", e.toString());
    } finally {
      end(visit);
    }
  }

  private void end(HttpConnection visit) {
    connections.remove(visit);
    visit.close();
  }
}
