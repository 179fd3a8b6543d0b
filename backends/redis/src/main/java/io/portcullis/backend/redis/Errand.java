package io.portcullis.backend.redis;

import io.portcullis.election.store.Answer;
import io.portcullis.election.store.Request;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A request on its way: asked once, answered once, worth sending only for so long. */
final class Errand {
  private static final int MOST_REDIRECTS = 3;

  final Request request;
  final CompletableFuture<Answer> reply = new CompletableFuture<>();
  final long deadlineNanos;
  @Nullable Line sentOn;

  /** Before it last left, on this node's monotonic clock. */
  long sentNanos;

  private int redirects;

  Errand(Request request, long deadlineNanos) {
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
    return redirects <= MOST_REDIRECTS && !isOver();
  }

  void unknown(String why) {
    reply.complete(new Answer.Unknown(why));
  }
}
