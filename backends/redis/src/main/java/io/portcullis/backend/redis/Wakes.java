package io.portcullis.backend.redis;

import io.portcullis.election.store.Wish;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears of releases and wishes. These are hints only: whatever is missed is found by asking, so a
 * connection that breaks is replaced without hurry, and after each one something may have been
 * missed.
 *
 * <p>All methods run on one thread, the store's own.
 */
final class Wakes {
  private static final Logger LOG = LoggerFactory.getLogger(Wakes.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
  private static final int DOUBLINGS = 7;
  private static final int MESSAGE_PARTS = 3;

  private final RedisPlan plan;
  private final String self;
  private final Dialer dialer;
  private final Worker worker;
  private final ScheduledExecutorService thread;
  private final Runnable wake;
  private final Consumer<Wish> heard;
  private final long connectNanos;
  private @Nullable Wire current;
  private boolean over;
  private int failures;

  Wakes(
      RedisPlan plan,
      String self,
      Dialer dialer,
      Worker worker,
      ScheduledExecutorService thread,
      long connectNanos,
      Runnable wake,
      Consumer<Wish> heard) {
    this.plan = plan;
    this.self = self;
    this.dialer = dialer;
    this.worker = worker;
    this.thread = thread;
    this.connectNanos = connectNanos;
    this.wake = wake;
    this.heard = heard;
  }

  void start() {
    if (over) {
      return;
    }
    Wire wire = new Wire();
    current = wire;
    Route route = dialer.route();
    CompletableFuture<Wire> opening =
        worker
            .run(
                () -> {
                  route.open(wire);
                  return wire;
                })
            .toCompletableFuture();
    CompletionStage<Wire> subscribing = opening.thenComposeAsync(this::subscribe, thread);
    var unused =
        thread.schedule(
            () -> {
              if (!subscribing.toCompletableFuture().isDone()) {
                wire.cut();
              }
            },
            connectNanos,
            TimeUnit.NANOSECONDS);
    subscribing.whenCompleteAsync(
        (done, failure) -> {
          if (failure == null) {
            listen(wire);
          } else if (!opening.isCompletedExceptionally() && Trouble.isRefusal(failure)) {
            giveUp(wire);
          } else {
            onLost(wire);
          }
        },
        thread);
  }

  private CompletionStage<Wire> subscribe(Wire wire) {
    return worker.run(
        () -> {
          wire.ask("SUBSCRIBE", plan.keys().channel());
          wire.allowSilence();
          return wire;
        });
  }

  private void listen(Wire wire) {
    failures = 0;
    wake.run();
    worker.run(() -> hear(wire)).whenCompleteAsync((done, failure) -> onLost(wire), thread);
  }

  private Void hear(Wire wire) throws IOException, Refusal {
    while (true) {
      if (wire.hear() instanceof List<?> parts
          && parts.size() == MESSAGE_PARTS
          && "message".equals(parts.get(0))
          && parts.get(2) instanceof String message) {
        take(message);
      }
    }
  }

  private void take(String message) {
    Wish wish = Message.wishIn(message);
    if (wish != null) {
      heard.accept(wish);
    } else if (Message.wakes(self, message)) {
      wake.run();
    }
  }

  /** Not permitted: asking again would not help. */
  private void giveUp(Wire wire) {
    over = true;
    wire.cut();
    LOG.info(
        "{}: SUBSCRIBE to {} is not allowed, so a release is noticed only by the next question, and"
            + " nodes of higher priority are not heard",
        plan.describe(),
        plan.keys().channel());
  }

  private void onLost(Wire wire) {
    wire.cut();
    if (current == wire) {
      current = null;
      startLater();
    }
  }

  private void startLater() {
    long pause = FIRST_PAUSE.toMillis() << Math.min(failures, DOUBLINGS);
    failures++;
    var unused = thread.schedule(this::start, pause, TimeUnit.MILLISECONDS);
  }

  /** The other connection broke: this one may be dead without telling. */
  void renew() {
    if (current != null) {
      current.cut();
    }
  }

  /** Opens no further connection. */
  void end() {
    over = true;
    renew();
  }
}
