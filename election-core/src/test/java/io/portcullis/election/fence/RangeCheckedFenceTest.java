package io.portcullis.election.fence;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.fence.EpochFence.FenceState;
import io.portcullis.election.inprocess.InProcessLease;
import io.portcullis.election.store.Claim;
import io.portcullis.election.store.EpochRange;
import io.portcullis.election.store.EpochRangeException;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.Granted;
import io.portcullis.election.store.LeaseResponse.HeldByOther;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.RecordVersion;
import io.portcullis.election.store.StoreFeatures.EpochLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests a fence with an epoch above which the lease's store can't grant. */
class RangeCheckedFenceTest {
  private static final Duration EVERY = Duration.ofSeconds(5);
  private static final long MAX = EpochRange.MAX_EPOCH;

  private final AtomicLong highestToFollow = new AtomicLong(MAX - 1);
  private final AtomicLong nanos = new AtomicLong();
  private long followed;
  private final InMemoryFence fence = new InMemoryFence();
  private final RecordingStore inner = new RecordingStore(new InProcessLease().connect());
  private final FencedStore store =
      new FencedStore(limited(inner), List.of(fence), "a", EVERY, nanos::get);

  private LeaseStore limited(LeaseStore by) {
    class LimitedStore implements LeaseStore, EpochLimit {
      @Override
      public CompletionStage<LeaseResponse> ask(LeaseRequest request) {
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
    }
    return new LimitedStore();
  }

  private LeaseResponse acquire() {
    return acquire(null);
  }

  private LeaseResponse acquire(@Nullable RecordVersion waitedOut) {
    Claim claim = new Claim("a", null, EVERY, EVERY, 0, waitedOut, null, true);
    return store.ask(new LeaseRequest.Acquire(claim)).toCompletableFuture().join();
  }

  private long lead() {
    HeldByOther ground = (HeldByOther) acquire();
    return ((Granted) acquire(ground.record().recordVersion())).epoch();
  }

  @ParameterizedTest
  @ValueSource(longs = {MAX, MAX - 1, MAX / 2, 1L << 37})
  void candidateWaitsForRepairOfImplausibleFence(long epoch) {
    highestToFollow.set(epoch == 1L << 37 ? epoch - 1 : MAX - 1);
    fence.set(epoch, "operator");

    assertThat(acquire()).isInstanceOf(HeldByOther.class);

    assertThat(inner.asked()).containsExactly(new LeaseRequest.Look());
    assertThat(store.degradedReason())
        .contains("fence in memory", "epoch " + epoch, "Run: the command that sets its epoch");
    fence.set(7, "operator");
    long won = lead();
    assertThat(won).isLessThan(epoch);
    assertThat(inner.asked(LeaseRequest.Acquire.class))
        .allSatisfy(asked -> assertThat(asked.claim().highestEpoch()).isLessThan(epoch));
    assertThat(store.degradedReason()).isNull();
    assertThat(fence.state()).isEqualTo(new FenceState(won, "a"));
  }

  /**
   * A fence that reads a value outside the range of epochs fails with a message, as Postgres does.
   */
  private void setOrFail(long epoch) {
    try {
      fence.set(epoch, "operator");
    } catch (EpochRangeException e) {
      fence.breakDown(e.getMessage());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 1_795_000_000, 1L << 37, MAX - 2, MAX - 1, MAX, Long.MAX_VALUE})
  void randomFenceEpochIsFollowedOrWaitsForRepair(long limit) {
    long seed = new Random().nextLong();
    System.out.println("fence epochs of seed " + seed + ", limit " + limit);
    Random random = new Random(seed);
    highestToFollow.set(limit);
    List<Long> epochs = new ArrayList<>(List.of(Long.MIN_VALUE, Long.MAX_VALUE, -1L, 0L, limit));
    for (int i = 0; i < 60; i++) {
      epochs.add(random.nextLong() >> random.nextInt(Long.SIZE));
      epochs.add(MAX - 10 + random.nextInt(20));
    }
    for (long epoch : epochs) {
      fence.breakDown(null);
      setOrFail(epoch);
      nanos.addAndGet(EVERY.toNanos());
      int before = inner.asked(LeaseRequest.Acquire.class).size();

      assertThat(acquire()).as("%d", epoch).isInstanceOf(HeldByOther.class);

      List<LeaseRequest.Acquire> claims = inner.asked(LeaseRequest.Acquire.class);
      boolean isFollowed = epoch >= 0 && epoch <= highestFrom(limit);
      assertThat(claims).as("%d", epoch).hasSize(before + (isFollowed ? 1 : 0));
      if (isFollowed) {
        assertThat(claims.get(before).claim().highestEpoch()).isEqualTo(highestFollowed(epoch));
      } else {
        assertThat(store.degradedReason()).as("%d", epoch).contains(Long.toString(epoch));
      }
    }
  }

  private static long highestFrom(long limit) {
    long second = System.currentTimeMillis() / 1000;
    return Math.min(
        Math.min(limit, MAX - 1), EpochRange.highestAt(second) - EpochRange.MAX_LEAD / 2);
  }

  /** Epochs of a fence that were read earlier are remembered. */
  private long highestFollowed(long epoch) {
    followed = Math.max(followed, epoch);
    return followed;
  }

  @Test
  void implausibleFenceEndsNoTenureAndIsRaisedAgain() {
    long epoch = lead();
    fence.set(MAX, "operator");
    nanos.addAndGet(EVERY.toNanos());

    assertThat(renew(epoch)).isInstanceOf(Granted.class);
    assertThat(renew(epoch)).isInstanceOf(Granted.class);

    assertThat(store.degradedReason()).contains("epoch " + MAX);
    fence.set(epoch - 1, "operator");
    nanos.addAndGet(EVERY.toNanos());
    assertThat(renew(epoch)).isInstanceOf(Granted.class);
    assertThat(fence.state()).isEqualTo(new FenceState(epoch, "a"));
  }

  private LeaseResponse renew(long epoch) {
    return store.ask(new LeaseRequest.Renew("a", epoch, EVERY, null)).toCompletableFuture().join();
  }

  @Test
  void epochAboveHighestToFollowCanBeInstalledAtFence() {
    long highest = 1L << 37;
    highestToFollow.set(highest);
    fence.set(highest, "operator");

    assertThat(lead()).isEqualTo(highest + 1);

    assertThat(fence.state()).isEqualTo(new FenceState(highest + 1, "a"));
  }
}
