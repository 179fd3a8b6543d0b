package io.portcullis.backend.kubernetes;

import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import java.util.concurrent.CompletableFuture;

/** A request on its way, with the moment at which nobody waits for it any more. */
record PendingLeaseRequest(
    LeaseRequest request, long deadlineNanos, CompletableFuture<LeaseResponse> answer) {

  static PendingLeaseRequest of(LeaseRequest request, long deadlineNanos) {
    return new PendingLeaseRequest(request, deadlineNanos, new CompletableFuture<>());
  }

  void unknown(String why) {
    answer.complete(new LeaseResponse.Unknown(why));
  }
}
