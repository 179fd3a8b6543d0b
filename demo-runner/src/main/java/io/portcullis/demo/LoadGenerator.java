package io.portcullis.demo;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Client that sends write requests to one process, one at a time, at a constant rate. */
final class LoadGenerator {
  static final int PER_SECOND = 20;
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1) / PER_SECOND;

  /** Longer than the time that an agent lets calls wait for its store's first response. */
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(8);

  private final String writer;
  private final URI transfers;
  private final WriteAttemptLog attempts;
  private final CountDownLatch stopping = new CountDownLatch(1);
  private final FutureTask<Integer> task = new FutureTask<>(this::sendUntilStopped);
  private int sent;

  private LoadGenerator(String writer, URI service, WriteAttemptLog attempts) {
    this.writer = writer;
    this.transfers = service.resolve("/transfers");
    this.attempts = attempts;
  }

  static LoadGenerator start(String writer, URI service, WriteAttemptLog attempts) {
    LoadGenerator load = new LoadGenerator(writer, service, attempts);
    Thread thread = new Thread(load.task, "load-" + writer);
    thread.setDaemon(true);
    thread.start();
    return load;
  }

  /** Sends no more requests and waits for the last response. */
  void stop() throws InterruptedException {
    stopping.countDown();
    try {
      task.get(REQUEST_TIMEOUT.toMillis() + 1000, TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("the client of " + writer + " failed", e);
    }
  }

  private int sendUntilStopped() throws InterruptedException {
    long next = System.nanoTime();
    long now;
    do {
      write();
      now = System.nanoTime();
      // After a slow response the missed writes are not sent in a burst.
      next = now + Math.max(0, next + PAUSE_NANOS - now);
    } while (!stopping.await(next - now, TimeUnit.NANOSECONDS));
    return sent;
  }

  private void write() throws InterruptedException {
    sent++;
    String id = writer + "-" + sent;
    WriteOutcome outcome;
    try {
      outcome =
          outcome(
              SharedHttpClient.CLIENT.send(request(id), HttpResponse.BodyHandlers.discarding()));
    } catch (ConnectException e) {
      outcome = WriteOutcome.UNREACHABLE;
    } catch (IOException e) {
      outcome = WriteOutcome.UNANSWERED;
    }
    attempts.add(new WriteAttempt(id, writer, outcome, System.nanoTime()));
  }

  private HttpRequest request(String id) {
    String body =
        "{\"id\": \"" + id + "\", \"from\": \"alice\", \"to\": \"bob\", \"amount\": " + sent + "}";
    return HttpRequest.newBuilder(transfers)
        .timeout(REQUEST_TIMEOUT)
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
  }

  private static WriteOutcome outcome(HttpResponse<Void> response) {
    return switch (response.statusCode()) {
      case 201 -> WriteOutcome.ACCEPTED;
      case 503 -> WriteOutcome.REFUSED;
      default -> WriteOutcome.FAILED;
    };
  }
}
