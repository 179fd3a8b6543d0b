package io.portcullis.agent.http;

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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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
final class Doorkeeper {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  private final Visit.Wrapping wrapping;
  private final Function<Request, Reply> reception;
  private final Set<Visit> visits = ConcurrentHashMap.newKeySet();
  private final AtomicInteger number = new AtomicInteger();
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          0,
          Bounds.MOST_THREADS,
          Bounds.THREAD_REST.toMillis(),
          TimeUnit.MILLISECONDS,
          new SynchronousQueue<>(),
          this::daemon);

  Doorkeeper(Visit.Wrapping wrapping, Function<Request, Reply> reception) {
    this.wrapping = wrapping;
    this.reception = reception;
  }

  private Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "portcullis-http-" + number.incrementAndGet());
    thread.setDaemon(true);
    thread.setContextClassLoader(Doorkeeper.class.getClassLoader());
    return thread;
  }

  /** Lets clients in until the socket fails. Wakes for nothing while nobody is there. */
  void keep(ServerSocket door) throws IOException {
    try {
      while (true) {
        door.setSoTimeout(visits.isEmpty() ? 0 : (int) Bounds.LOOK.toMillis());
        try {
          admit(door.accept());
        } catch (SocketTimeoutException e) {
          // Time to look for those who are overdue.
        }
        closeOverdue(System.nanoTime());
      }
    } finally {
      visits.forEach(Visit::close);
      threads.shutdown();
    }
  }

  private void admit(Socket socket) {
    Visit visit = new Visit(socket, wrapping, reception);
    if (visits.size() >= Bounds.MOST_CONNECTIONS && !makeRoom(System.nanoTime())) {
      visit.close(); // All of them wait for us: whoever comes now may try again.
      return;
    }
    visits.add(visit);
    try {
      threads.execute(() -> serve(visit));
    } catch (RejectedExecutionException e) { // The threads of those who went have not ended yet.
      end(visit);
    } catch (OutOfMemoryError e) { // The system gives the process no more threads.
      end(visit);
    }
  }

  private boolean makeRoom(long now) {
    Optional<Visit> slowest =
        visits.stream()
            .filter(visit -> visit.dawdledNanos(now) >= 0)
            .max(Comparator.comparingLong(visit -> visit.dawdledNanos(now)));
    slowest.ifPresent(this::end);
    return slowest.isPresent();
  }

  private void closeOverdue(long now) {
    visits.stream().filter(visit -> visit.isOverdue(now)).forEach(this::end);
  }

  private void serve(Visit visit) {
    try {
      visit.serve();
    } catch (IOException e) {
      LOG.debug("portcullis a client went, or was made to go: {}", e.toString());
    } finally {
      end(visit);
    }
  }

  private void end(Visit visit) {
    visits.remove(visit);
    visit.close();
  }
}
