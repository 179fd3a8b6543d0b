package io.portcullis.election.fence;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.inprocess.InProcessLease;
import io.portcullis.election.store.Claim;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.Granted;
import io.portcullis.election.store.LeaseResponse.HeldByOther;
import io.portcullis.election.store.RecordVersion;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A store behind one fence, with requests of node {@code a} and a clock that the test controls. */
class FencedStoreFixture {
  static final Duration LEASE = Duration.ofSeconds(10);
  static final Duration EVERY = Duration.ofSeconds(2);

  final InProcessLease lease = new InProcessLease();
  final RecordingStore inner = new RecordingStore(lease.connect());
  final InMemoryFence fence = new InMemoryFence();
  final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 1000); // It may wrap.
  final FencedStore store = new FencedStore(inner, List.of(fence), "a", EVERY, clock::get);

  static Claim claim(String node, @Nullable RecordVersion waitedOut) {
    return new Claim(node, null, LEASE, LEASE, 0, waitedOut, null, true);
  }

  static LeaseResponse now(CompletionStage<LeaseResponse> stage) {
    CompletableFuture<LeaseResponse> future = stage.toCompletableFuture();
    assertThat(future).isDone();
    return future.join();
  }

  CompletionStage<LeaseResponse> acquire() {
    LeaseResponse shown = now(inner.ask(new LeaseRequest.Look()));
    LeaseRecord record = ((HeldByOther) shown).record();
    return store.ask(new LeaseRequest.Acquire(claim("a", record.recordVersion())));
  }

  /**
   * Claims until the response is granted or unknown: the first claim only initializes an empty
   * store.
   */
  CompletionStage<LeaseResponse> acquireOnGround() {
    now(inner.ask(new LeaseRequest.Acquire(claim("ground", null))));
    return acquire();
  }

  long lead() {
    return ((Granted) now(acquireOnGround())).epoch();
  }

  CompletionStage<LeaseResponse> renew(long epoch) {
    return store.ask(new LeaseRequest.Renew("a", epoch, LEASE, null));
  }

  void pass(Duration time) {
    clock.addAndGet(time.toNanos());
  }

  LeaseRecord recordShown() {
    return ((HeldByOther) now(inner.ask(new LeaseRequest.Look()))).record();
  }
}
