package io.portcullis.election.backend;

import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A request on its way to a store: the deadline after which the election ignores its response, and
 * the future of that response. The first response counts; later ones have no effect. Thread-safe.
 */
public final class PendingRequest {
  private final LeaseRequest request;
  private final long deadlineNanos;
  private final CompletableFuture<LeaseResponse> response = new CompletableFuture<>();

  private PendingRequest(LeaseRequest request, long deadlineNanos) {
    this.request = request;
    this.deadlineNanos = deadlineNanos;
  }

  /** Creates a request whose deadline is after {@code timeout}, such as the ask timeout. */
  public static PendingRequest within(Duration timeout, LeaseRequest request) {
    return new PendingRequest(request, System.nanoTime() + timeout.toNanos());
  }

  /** The request of the election. */
  public LeaseRequest request() {
    return request;
  }

  /** The deadline by {@link System#nanoTime}. */
  public long deadlineNanos() {
    return deadlineNanos;
  }

  /** The time until the deadline, not positive if it has passed. */
  public long remainingNanos() {
    return deadlineNanos - System.nanoTime();
  }

  /** Whether there is no use in sending it: it has a response, or its deadline has passed. */
  public boolean isOver() {
    return isAnswered() || remainingNanos() <= 0;
  }

  /** Whether it has a response. */
  public boolean isAnswered() {
    return response.isDone();
  }

  /** Completes the future with a response of the store. */
  public void answer(LeaseResponse answer) {
    response.complete(answer);
  }

  /** Completes the future with {@link LeaseResponse.Unknown} and the reason. */
  public void unknown(String reason) {
    answer(new LeaseResponse.Unknown(reason));
  }

  /** The future of the response. */
  public CompletableFuture<LeaseResponse> response() {
    return response;
  }
}
