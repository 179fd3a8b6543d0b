package io.portcullis.backend.quorum;

import io.portcullis.backend.quorum.machine.QuorumInput;
import io.portcullis.backend.quorum.machine.QuorumMachine;
import io.portcullis.backend.quorum.machine.QuorumMachine.Succession;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Passes requests of the election to the member's thread, and its responses back. Thread-safe. */
final class RequestQueue {
  /** Maximum number of queued requests: more than one election ever has pending. */
  private static final int MAX_WAITING_REQUESTS = 64;

  private final BlockingQueue<QuorumInput.Asked> waiting =
      new LinkedBlockingQueue<>(MAX_WAITING_REQUESTS);
  private final Map<Long, CompletableFuture<LeaseResponse>> pending = new ConcurrentHashMap<>();
  private final AtomicLong ids = new AtomicLong();
  private volatile @Nullable String closed;
  private volatile Succession succession = Succession.NONE;
  private volatile long highestEpochToFollow =
      QuorumMachine.highestEpochToFollow(System.currentTimeMillis() / 1000);

  CompletionStage<LeaseResponse> ask(LeaseRequest request) {
    CompletableFuture<LeaseResponse> response = new CompletableFuture<>();
    long id = ids.incrementAndGet();
    pending.put(id, response);
    if (!waiting.offer(new QuorumInput.Asked(id, request))) {
      answer(id, new LeaseResponse.Unknown("too many requests at once"));
    }
    // Read after the request is registered: close() answers every request that it finds, so a
    // request added before it is answered there and one added after it is answered here.
    String closedWhy = closed;
    if (closedWhy != null) {
      answer(id, new LeaseResponse.Unknown(closedWhy));
    }
    return response;
  }

  /** Waits for the next request, up to {@code maxMillis}; null if none arrives. */
  QuorumInput.@Nullable Asked next(long maxMillis) throws InterruptedException {
    return waiting.poll(maxMillis, TimeUnit.MILLISECONDS);
  }

  /** Returns the next queued request without waiting; null if there is none. */
  QuorumInput.@Nullable Asked next() {
    return waiting.poll();
  }

  /** Stores the possible successors of this member, as of its newest step. */
  void setSuccession(Succession newest) {
    succession = newest;
  }

  /** The possible successors of this member, as of its newest step. */
  Succession succession() {
    return succession;
  }

  /** Stores the highest epoch above which this quorum could elect, as of the newest step. */
  void setHighestEpochToFollow(long newest) {
    highestEpochToFollow = newest;
  }

  /** The highest epoch above which this quorum could elect, as of the newest step. */
  long highestEpochToFollow() {
    return highestEpochToFollow;
  }

  void answer(long id, LeaseResponse response) {
    CompletableFuture<LeaseResponse> future = pending.remove(id);
    if (future != null) {
      future.complete(response);
    }
  }

  /** Responds to all pending and all future requests with {@code Unknown}. */
  void close(String why) {
    closed = why;
    pending.keySet().forEach(id -> answer(id, new LeaseResponse.Unknown(why)));
  }
}
