package io.portcullis.backend.redis;

import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A request on its way: asked once, answered once, worth sending only for so long. */
final class PendingRedisRequest {
  private static final int MAX_REDIRECTS = 3;

  final LeaseRequest request;
  final CompletableFuture<LeaseResponse> reply = new CompletableFuture<>();
  final long deadlineNanos;
  @Nullable RedisConnection sentOn;

  /** Before it last left, on this node's monotonic clock. */
  long sentNanos;

  private int redirects;

  PendingRedisRequest(LeaseRequest request, long deadlineNanos) {
    this.request = request;
    this.deadlineNanos = deadlineNanos;
  }

  long leftNanos() {
    return deadlineNanos - System.nanoTime();
  }

  boolean isOver() {
    return reply.isDone() || leftNanos() <= 0;
  }

  /** Whether it may go to yet another server of the cluster. */
  boolean mayBeRedirected() {
    redirects++;
    return redirects <= MAX_REDIRECTS && !isOver();
  }

  void unknown(String why) {
    reply.complete(new LeaseResponse.Unknown(why));
  }
}
