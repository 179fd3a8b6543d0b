package io.portcullis.backend.kubernetes;

import io.portcullis.election.store.Answer;
import io.portcullis.election.store.Request;
import java.util.concurrent.CompletableFuture;

/** A request on its way, with the moment at which nobody waits for it any more. */
record Errand(Request request, long deadlineNanos, CompletableFuture<Answer> answer) {

  static Errand of(Request request, long deadlineNanos) {
    return new Errand(request, deadlineNanos, new CompletableFuture<>());
  }

  void unknown(String why) {
    answer.complete(new Answer.Unknown(why));
  }
}
