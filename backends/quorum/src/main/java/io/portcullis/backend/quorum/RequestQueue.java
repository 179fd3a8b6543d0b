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

/** The election's questions on their way to the member's thread, and their answers back. */
final class RequestQueue {
  /** More than one election ever has open. */
  private static final int MAX_WAITING_REQUESTS = 64;

  private final BlockingQueue<QuorumInput.Asked> waiting =
      new LinkedBlockingQueue<>(MAX_WAITING_REQUESTS);
  private final Map<Long, CompletableFuture<LeaseResponse>> open = new ConcurrentHashMap<>();
  private final AtomicLong ids = new AtomicLong();
  private volatile @Nullable String closed;
  private volatile Succession succession = Succession.NONE;
  private volatile long highestEpochToFollow =
      QuorumMachine.highestEpochToFollow(System.currentTimeMillis() / 1000);

  CompletionStage<LeaseResponse> ask(LeaseRequest request) {
    CompletableFuture<LeaseResponse> answer = new CompletableFuture<>();
    long id = ids.incrementAndGet();
    open.put(id, answer);
    if (!waiting.offer(new QuorumInput.Asked(id, request))) {
      answer(id, new LeaseResponse.Unknown("too many questions at once"));
    }
    String over = closed; // Looked at last: whoever closes answers all that it finds.
    if (over != null) {
      answer(id, new LeaseResponse.Unknown(over));
    }
    return answer;
  }

  /** The next question, waited for at most so long; null if there is none. */
  QuorumInput.@Nullable Asked next(long atMostMillis) throws InterruptedException {
    return waiting.poll(atMostMillis, TimeUnit.MILLISECONDS);
  }

  /** The next question that is there already; null if there is none. */
  QuorumInput.@Nullable Asked next() {
    return waiting.poll();
  }

  /** Who could follow this member, as of its newest step. */
  void setSuccession(Succession newest) {
    succession = newest;
  }

  /** What was last said of that. Any thread may ask. */
  Succession succession() {
    return succession;
  }

  /** The highest epoch above which this quorum could elect, as of the last step. */
  void setHighestEpochToFollow(long newest) {
    highestEpochToFollow = newest;
  }

  /** What was last said of that. Any thread may ask. */
  long highestEpochToFollow() {
    return highestEpochToFollow;
  }

  void answer(long id, LeaseResponse answer) {
    CompletableFuture<LeaseResponse> asked = open.remove(id);
    if (asked != null) {
      asked.complete(answer);
    }
  }

  /** Nobody answers from now on. */
  void close(String why) {
    closed = why;
    open.keySet().forEach(id -> answer(id, new LeaseResponse.Unknown(why)));
  }
}
