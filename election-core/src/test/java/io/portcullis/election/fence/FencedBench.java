package io.portcullis.election.fence;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.inprocess.InProcessLease;
import io.portcullis.election.store.Answer;
import io.portcullis.election.store.Answer.Granted;
import io.portcullis.election.store.Answer.HeldByOther;
import io.portcullis.election.store.Claim;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.Request;
import io.portcullis.election.store.Stamp;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A store behind one fence, asked by hand as node {@code a}, on a clock that is set by hand. */
class FencedBench {
  static final Duration LEASE = Duration.ofSeconds(10);
  static final Duration EVERY = Duration.ofSeconds(2);

  final InProcessLease lease = new InProcessLease();
  final RecordingStore inner = new RecordingStore(lease.connect());
  final PlainFence fence = new PlainFence();
  final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 1000); // It may wrap.
  final FencedStore store = new FencedStore(inner, List.of(fence), "a", EVERY, clock::get);

  static Claim claim(String node, @Nullable Stamp waitedOut) {
    return new Claim(node, null, LEASE, LEASE, 0, waitedOut, null, true);
  }

  static Answer now(CompletionStage<Answer> stage) {
    CompletableFuture<Answer> future = stage.toCompletableFuture();
    assertThat(future).isDone();
    return future.join();
  }

  CompletionStage<Answer> acquire() {
    Answer shown = now(inner.ask(new Request.Look()));
    LeaseRecord record = ((HeldByOther) shown).record();
    return store.ask(new Request.Acquire(claim("a", record.stamp())));
  }

  /** Claims until it is granted or unknown: the first one only grounds an empty store. */
  CompletionStage<Answer> acquireOnGround() {
    now(inner.ask(new Request.Acquire(claim("ground", null))));
    return acquire();
  }

  long lead() {
    return ((Granted) now(acquireOnGround())).epoch();
  }

  CompletionStage<Answer> renew(long epoch) {
    return store.ask(new Request.Renew("a", epoch, LEASE, null));
  }

  void pass(Duration time) {
    clock.addAndGet(time.toNanos());
  }

  LeaseRecord recordShown() {
    return ((HeldByOther) now(inner.ask(new Request.Look()))).record();
  }
}
