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

  private final HttpConnection.Wrapping wrapping;
  private final Function<HttpRequest, HttpResponse> reception;
  private final Set<HttpConnection> visits = ConcurrentHashMap.newKeySet();
  private final AtomicInteger number = new AtomicInteger();
  private final ThreadPoolExecutor threads =
      DaemonThreads.pool(
          () -> "portcullis-http-" + number.incrementAndGet(),
          0,
          HttpLimits.MAX_THREADS,
          HttpLimits.THREAD_REST,
          new SynchronousQueue<>(),
          new ThreadPoolExecutor.AbortPolicy());

  HttpServer(HttpConnection.Wrapping wrapping, Function<HttpRequest, HttpResponse> reception) {
    this.wrapping = wrapping;
    this.reception = reception;
  }

  /** Lets clients in until the socket fails. Wakes for nothing while nobody is there. */
  void keep(ServerSocket door) throws IOException {
    try {
      while (true) {
        door.setSoTimeout(visits.isEmpty() ? 0 : (int) HttpLimits.LOOK.toMillis());
        try {
          admit(door.accept());
        } catch (SocketTimeoutException e) {
          // Time to look for those who are overdue.
        }
        closeOverdue(System.nanoTime());
      }
    } finally {
      visits.forEach(HttpConnection::close);
      threads.shutdown();
    }
  }

  private void admit(Socket socket) {
    HttpConnection visit = new HttpConnection(socket, wrapping, reception);
    long start = System.nanoTime();
    while (awaitRoom(start)) {
      visits.add(visit);
      try {
        threads.execute(() -> serve(visit));
        return;
      } catch (RejectedExecutionException e) {
        // A thread that had ended its work has not said so yet.
        visits.remove(visit);
        LockSupport.parkNanos(HttpLimits.MOMENT.toNanos());
      } catch (OutOfMemoryError e) { // The system gives the process no more threads.
        break;
      }
    }
    end(visit);
  }

  /** Where all wait for us, and not we for them, there is room as soon as one has its answer. */
  private boolean awaitRoom(long start) {
    if (System.nanoTime() - start - HttpLimits.MAX_ADMISSION.toNanos() > 0) {
      return false;
    }
    while (visits.size() >= HttpLimits.MAX_CONNECTIONS
        || threads.getActiveCount() >= HttpLimits.MAX_THREADS) {
      long now = System.nanoTime();
      if (now - start - HttpLimits.MAX_ADMISSION.toNanos() > 0) {
        return false;
      }
      Optional<HttpConnection> slowest =
          visits.size() >= HttpLimits.MAX_CONNECTIONS ? slowest(now) : Optional.empty();
      slowest.ifPresentOrElse(this::end, () -> LockSupport.parkNanos(HttpLimits.MOMENT.toNanos()));
    }
    return true;
  }

  private Optional<HttpConnection> slowest(long now) {
    return visits.stream()
        .filter(visit -> visit.dawdledNanos(now) >= 0)
        .max(Comparator.comparingLong(visit -> visit.dawdledNanos(now)));
  }

  private void closeOverdue(long now) {
    visits.stream().filter(visit -> visit.isOverdue(now)).forEach(this::end);
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
    visits.remove(visit);
    visit.close();
  }
}
