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
 * Accepts HTTP connections up to a limit. At the limit it closes the connection that has been
 * waiting for client input longest, so any number of slow clients (slowloris) cannot lock others
 * out. A normal request takes milliseconds, so it is the last to be closed.
 *
 * <p>Each connection has one blocking thread; the limit is low enough that no event loop is needed.
 * Reading, TLS and slow admin commands remain plain blocking code, and no client can block a loop
 * that serves the others.
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

  HttpServer(HttpConnection.SocketWrapper wrapping, Function<HttpRequest, HttpResponse> handler) {
    this.wrapping = wrapping;
    this.handler = handler;
  }

  /** Accepts connections until the socket fails. Does not wake up while none is open. */
  void acceptConnections(ServerSocket serverSocket) throws IOException {
    try {
      while (true) {
        serverSocket.setSoTimeout(
            connections.isEmpty() ? 0 : (int) HttpLimits.OVERDUE_CHECK_INTERVAL.toMillis());
        try {
          admit(serverSocket.accept());
        } catch (SocketTimeoutException e) {
          // Time to check for overdue connections.
        }
        closeOverdue(System.nanoTime());
      }
    } finally {
      connections.forEach(HttpConnection::close);
      threads.shutdown();
    }
  }

  private void admit(Socket socket) {
    HttpConnection connection = new HttpConnection(socket, wrapping, handler);
    long start = System.nanoTime();
    while (awaitRoom(start)) {
      connections.add(connection);
      try {
        threads.execute(() -> serve(connection));
        return;
      } catch (RejectedExecutionException e) {
        // A thread has finished its work but is not available to the pool yet.
        connections.remove(connection);
        LockSupport.parkNanos(HttpLimits.ADMISSION_POLL_INTERVAL.toNanos());
      } catch (OutOfMemoryError e) { // The operating system refuses to create more threads.
        break;
      }
    }
    end(connection);
  }

  /**
   * Waits until the number of connections is below the limit. If none of them waits for its client,
   * none is closed: one becomes free as soon as its response is sent.
   */
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
        .filter(connection -> connection.waitedNanos(now) >= 0)
        .max(Comparator.comparingLong(connection -> connection.waitedNanos(now)));
  }

  private void closeOverdue(long now) {
    connections.stream().filter(connection -> connection.isOverdue(now)).forEach(this::end);
  }

  private void serve(HttpConnection connection) {
    try {
      connection.serve();
    } catch (IOException e) {
      LOG.debug("portcullis HTTP connection ended: {}", e.toString());
    } finally {
      end(connection);
    }
  }

  private void end(HttpConnection connection) {
    connections.remove(connection);
    connection.close();
  }
}
