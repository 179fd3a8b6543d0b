package io.portcullis.election.fence;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.inprocess.InProcessLease;
import io.portcullis.election.store.Answer;
import io.portcullis.election.store.Answer.Granted;
import io.portcullis.election.store.Answer.HeldByOther;
import io.portcullis.election.store.Claim;
import io.portcullis.election.store.EpochRange;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.Request;
import io.portcullis.election.store.Stamp;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A fence stands at an epoch above which the lease's store can't grant. */
class ImplausibleFenceTest {
  private static final Duration EVERY = Duration.ofSeconds(5);
  private static final long MAX = EpochRange.MAX_EPOCH;

  private final AtomicLong highestToFollow = new AtomicLong(MAX - 1);
  private final AtomicLong nanos = new AtomicLong();
  private final PlainFence fence = new PlainFence();
  private final RecordingStore inner = new RecordingStore(new InProcessLease().connect());
  private final FencedStore store =
      new FencedStore(limited(inner), List.of(fence), "a", EVERY, nanos::get);

  private LeaseStore limited(LeaseStore by) {
    return new LeaseStore() {
      @Override
      public CompletionStage<Answer> ask(Request request) {
        return by.ask(request);
      }

      @Override
      public long highestEpochToFollow() {
        return highestToFollow.get();
      }

      @Override
      public void close() {
        by.close();
      }
    };
  }

  private Answer acquire() {
    return acquire(null);
  }

  private Answer acquire(@Nullable Stamp waitedOut) {
    Claim claim = new Claim("a", null, EVERY, EVERY, 0, waitedOut, null, true);
    return store.ask(new Request.Acquire(claim)).toCompletableFuture().join();
  }

  private long lead() {
    HeldByOther ground = (HeldByOther) acquire();
    return ((Granted) acquire(ground.record().stamp())).epoch();
  }

  @ParameterizedTest
  @ValueSource(longs = {MAX, MAX - 1, MAX / 2, 1L << 37})
  void candidateWaitsForRepairOfImplausibleFence(long epoch) {
    highestToFollow.set(epoch == 1L << 37 ? epoch - 1 : MAX - 1);
    fence.set(epoch, "operator");

    assertThat(acquire()).isInstanceOf(HeldByOther.class);

    assertThat(inner.asked()).containsExactly(new Request.Look());
    assertThat(store.handicap())
        .contains("a plain place", "epoch " + epoch, "Run: what sets its epoch");
    fence.set(7, "operator");
    long won = lead();
    assertThat(won).isLessThan(epoch);
    assertThat(inner.asked(Request.Acquire.class))
        .allSatisfy(asked -> assertThat(asked.claim().highestEpoch()).isLessThan(epoch));
    assertThat(store.handicap()).isNull();
    assertThat(fence.mark()).isEqualTo(new Mark(won, "a"));
  }

  @Test
  void implausibleFenceEndsNoTenureAndIsRaisedAgain() {
    long epoch = lead();
    fence.set(MAX, "operator");
    nanos.addAndGet(EVERY.toNanos());

    assertThat(renew(epoch)).isInstanceOf(Granted.class);
    assertThat(renew(epoch)).isInstanceOf(Granted.class);

    assertThat(store.handicap()).contains("epoch " + MAX);
    fence.set(epoch - 1, "operator");
    nanos.addAndGet(EVERY.toNanos());
    assertThat(renew(epoch)).isInstanceOf(Granted.class);
    assertThat(fence.mark()).isEqualTo(new Mark(epoch, "a"));
  }

  private Answer renew(long epoch) {
    return store.ask(new Request.Renew("a", epoch, EVERY, null)).toCompletableFuture().join();
  }

  @Test
  void epochAboveHighestToFollowCanBeInstalledAtFence() {
    long highest = 1L << 37;
    highestToFollow.set(highest);
    fence.set(highest, "operator");

    assertThat(lead()).isEqualTo(highest + 1);

    assertThat(fence.mark()).isEqualTo(new Mark(highest + 1, "a"));
  }
}
