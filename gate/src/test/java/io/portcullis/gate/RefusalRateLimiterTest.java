package io.portcullis.gate;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.gate.Refusal.ThrowNotLeader;
import io.portcullis.gate.Refusal.Verdict;
import io.portcullis.gate.RefusalRateLimiter.Pace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RefusalRateLimiterTest {
  private static final Refusal SKIP = (checkpoint, sinceNanos) -> Verdict.SKIP;
  private static final Duration MAX_PAUSE = Duration.ofMillis(10);
  private static final long PAUSE_NANOS = MAX_PAUSE.toNanos();

  private final GateFixture gated = GateFixture.refusingWith(SKIP);
  private final List<Long> pauses = new ArrayList<>();

  /** A clock that only pauses, and the test itself, move on. */
  private long nowNanos;

  @AfterEach
  void clearInterrupt() {
    Thread.interrupted();
  }

  private RefusalRateLimiter limiter(long originNanos) {
    nowNanos = originNanos;
    return new RefusalRateLimiter(SKIP, Pace.of(100, MAX_PAUSE), originNanos, this::pause);
  }

  private void pause(long nanos) {
    pauses.add(nanos);
    nowNanos += nanos;
  }

  private void refuse(RefusalRateLimiter limiter) {
    assertThat(limiter.refuse(gated.checkpoint(), nowNanos)).isEqualTo(Verdict.SKIP);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, 1_000_000_000L, Long.MAX_VALUE - 1, Long.MIN_VALUE})
  void loopingThreadIsSlowedAfterHundredRefusals(long originNanos) {
    RefusalRateLimiter limiter = limiter(originNanos);

    for (int i = 0; i < 100; i++) {
      refuse(limiter);
    }
    assertThat(pauses).isEmpty();

    for (int i = 0; i < 1000; i++) {
      refuse(limiter);
    }
    assertThat(pauses).hasSize(1000).containsOnly(PAUSE_NANOS);
    assertThat(nowNanos - originNanos).as("100 a second").isEqualTo(SECONDS.toNanos(10));
    assertThat(gated.checkpoint().slowed()).isEqualTo(1000);
  }

  @Test
  void threadBelowTheLimitIsNeverSlowed() {
    RefusalRateLimiter limiter = limiter(0);

    for (int i = 0; i < 10_000; i++) {
      refuse(limiter);
      nowNanos += MILLISECONDS.toNanos(10);
    }

    assertThat(pauses).isEmpty();
    assertThat(gated.checkpoint().slowed()).isZero();
  }

  @Test
  void threadThatStopsLoopingIsAtFullSpeedSoon() {
    RefusalRateLimiter limiter = limiter(0);
    for (int i = 0; i < 100_000; i++) {
      refuse(limiter);
    }
    pauses.clear();

    nowNanos += SECONDS.toNanos(1) + PAUSE_NANOS;
    for (int i = 0; i < 100; i++) {
      refuse(limiter);
    }

    assertThat(pauses).isEmpty();
  }

  @Test
  void noPauseIsLongerThanItsMaximum() {
    nowNanos = 0;
    List<Long> ignored = new ArrayList<>();
    RefusalRateLimiter slow = new RefusalRateLimiter(SKIP, Pace.of(1, MAX_PAUSE), 0, ignored::add);

    for (int i = 0; i < 1000; i++) { // The clock stands still, as if pauses had no effect.
      refuse(slow);
    }

    assertThat(ignored).hasSize(999).containsOnly(PAUSE_NANOS);
  }

  /** Like Reactor's interface of event loop threads; the limiter compares the end of the name. */
  private static final class EventLoop extends Thread
      implements io.portcullis.gate.shaded.reactor.core.scheduler.NonBlocking {
    EventLoop(Runnable work) {
      super(work);
    }
  }

  @Test
  void eventLoopIsNotDelayed() throws Exception {
    RefusalRateLimiter limiter = limiter(0);
    Thread loop =
        new EventLoop(
            () -> {
              for (int i = 0; i < 1000; i++) {
                refuse(limiter);
              }
            });

    loop.start();
    loop.join();

    assertThat(pauses).isEmpty();
    assertThat(gated.checkpoint().slowed()).isZero();
  }

  @Test
  void interruptedThreadIsNotDelayed() {
    RefusalRateLimiter limiter = limiter(0);
    Thread.currentThread().interrupt();

    for (int i = 0; i < 1000; i++) {
      refuse(limiter);
    }

    assertThat(pauses).isEmpty();
    assertThat(Thread.currentThread().isInterrupted()).isTrue();
  }

  @Test
  void interruptDuringThePauseStaysSet() throws Exception {
    Refusal slow = RefusalRateLimiter.limit(SKIP, 1, RefusalRateLimiter.MAX_PAUSE);
    slow.refuse(gated.checkpoint(), System.nanoTime());
    CompletableFuture<Boolean> flag = new CompletableFuture<>();
    Thread looping =
        new Thread(
            () -> {
              while (!Thread.currentThread().isInterrupted()) {
                slow.refuse(gated.checkpoint(), System.nanoTime());
              }
              flag.complete(Thread.currentThread().isInterrupted());
            });
    looping.setDaemon(true);
    looping.start();
    while (gated.checkpoint().slowed() == 0) {
      Thread.onSpinWait();
    }

    looping.interrupt();

    assertThat(flag.get(1, MINUTES)).isTrue();
  }

  @Test
  void permitToParkSurvivesAPause() throws Exception {
    Refusal slow = RefusalRateLimiter.limit(SKIP, 1, Duration.ofMillis(1));
    CompletableFuture<Boolean> permit = new CompletableFuture<>();
    Thread parking =
        new Thread(
            () -> {
              LockSupport.unpark(Thread.currentThread());
              while (gated.checkpoint().slowed() == 0) {
                slow.refuse(gated.checkpoint(), System.nanoTime());
              }
              LockSupport.park(); // Would block without the permit.
              permit.complete(true);
            });
    parking.setDaemon(true);
    parking.start();

    assertThat(permit.get(1, MINUTES)).isTrue();
  }

  @Test
  void pausedCallIsNotInFlightAndStillRefused() {
    List<Long> inFlight = new ArrayList<>();
    LongConsumer openMeanwhile =
        nanos -> {
          inFlight.add(gated.election().callsInFlight());
          gated.openFor(1);
        };
    gated
        .checkpoint()
        .refuseWith(
            new RefusalRateLimiter(
                ThrowNotLeader.WITHOUT_STACK_TRACE,
                Pace.of(1, MAX_PAUSE),
                System.nanoTime(),
                openMeanwhile));

    assertThatThrownBy(gated::enter).isInstanceOf(NotLeaderException.class);
    assertThatThrownBy(gated::enter).isInstanceOf(NotLeaderException.class);

    assertThat(inFlight).containsExactly(0L);
    assertThat(gated.checkpoint().blocked()).isEqualTo(2);
    assertThat(gated.election().callsInFlight()).isZero();
  }

  @Test
  void resultOfASkippedCallIsTheLimitedRefusalsOwn() {
    Refusal answering =
        new Refusal() {
          @Override
          public Verdict refuse(Checkpoint checkpoint, long sinceNanos) {
            return Verdict.SKIP;
          }

          @Override
          public Object answer(Checkpoint checkpoint, String method) {
            return "result of " + method;
          }
        };

    assertThat(RefusalRateLimiter.limit(answering, 1, MAX_PAUSE).answer(gated.checkpoint(), "poll"))
        .isEqualTo("result of poll");
  }

  @Test
  void limitsOutOfRangeAreRefused() {
    Duration tooLong = RefusalRateLimiter.MAX_PAUSE.plusNanos(1);

    assertThatIllegalArgumentException().isThrownBy(() -> Pace.of(0, MAX_PAUSE));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Pace.of(RefusalRateLimiter.MAX_REFUSALS_PER_SECOND + 1, MAX_PAUSE));
    assertThatIllegalArgumentException().isThrownBy(() -> Pace.of(1, tooLong));
  }
}
