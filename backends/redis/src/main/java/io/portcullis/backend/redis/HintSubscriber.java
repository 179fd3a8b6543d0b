package io.portcullis.backend.redis;

import io.portcullis.backend.redis.RespSocket.RedisErrorException;
import io.portcullis.election.store.PriorityRequest;
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
final class HintSubscriber {
  private static final Logger LOG = LoggerFactory.getLogger(HintSubscriber.class);
  private static final Duration INITIAL_BACKOFF = Duration.ofMillis(250);
  private static final int MAX_BACKOFF_DOUBLINGS = 7;
  private static final int MESSAGE_PARTS = 3;

  private final RedisStorePlan plan;
  private final String self;
  private final ServerSelector servers;
  private final RedisIoExecutor worker;
  private final ScheduledExecutorService thread;
  private final Runnable wake;
  private final Consumer<PriorityRequest> priorityRequestListener;
  private final long connectNanos;
  private @Nullable RespSocket current;
  private boolean closed;
  private int failures;

  HintSubscriber(
      RedisStorePlan plan,
      String self,
      ServerSelector dialer,
      RedisIoExecutor worker,
      ScheduledExecutorService thread,
      long connectNanos,
      Runnable wake,
      Consumer<PriorityRequest> heard) {
    this.plan = plan;
    this.self = self;
    this.servers = dialer;
    this.worker = worker;
    this.thread = thread;
    this.connectNanos = connectNanos;
    this.wake = wake;
    this.priorityRequestListener = heard;
  }

  void start() {
    if (closed) {
      return;
    }
    RespSocket wire = new RespSocket();
    current = wire;
    PrimaryConnector route = servers.route();
    CompletableFuture<RespSocket> opening =
        worker
            .run(
                () -> {
                  route.open(wire);
                  return wire;
                })
            .toCompletableFuture();
    CompletionStage<RespSocket> subscribing = opening.thenComposeAsync(this::subscribe, thread);
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
          } else if (!opening.isCompletedExceptionally()
              && RedisErrorMessages.isErrorReply(failure)) {
            giveUp(wire);
          } else {
            onLost(wire);
          }
        },
        thread);
  }

  private CompletionStage<RespSocket> subscribe(RespSocket wire) {
    return worker.run(
        () -> {
          wire.call("SUBSCRIBE", plan.keys().channel());
          wire.disableReadTimeout();
          return wire;
        });
  }

  private void listen(RespSocket wire) {
    failures = 0;
    wake.run();
    worker.run(() -> receive(wire)).whenCompleteAsync((done, failure) -> onLost(wire), thread);
  }

  private Void receive(RespSocket wire) throws IOException, RedisErrorException {
    while (true) {
      if (wire.readReply() instanceof List<?> parts
          && parts.size() == MESSAGE_PARTS
          && "message".equals(parts.get(0))
          && parts.get(2) instanceof String message) {
        dispatch(message);
      }
    }
  }

  private void dispatch(String message) {
    PriorityRequest wish = ChannelMessage.priorityRequestIn(message);
    if (wish != null) {
      priorityRequestListener.accept(wish);
    } else if (ChannelMessage.wakes(self, message)) {
      wake.run();
    }
  }

  /** Not permitted: asking again would not help. */
  private void giveUp(RespSocket wire) {
    closed = true;
    wire.cut();
    LOG.info(
        "{}: SUBSCRIBE to {} is not allowed, so a release is noticed only by the next question, and"
            + " nodes of higher priority are not heard",
        plan.describe(),
        plan.keys().channel());
  }

  private void onLost(RespSocket wire) {
    wire.cut();
    if (current == wire) {
      current = null;
      startLater();
    }
  }

  private void startLater() {
    long pause = INITIAL_BACKOFF.toMillis() << Math.min(failures, MAX_BACKOFF_DOUBLINGS);
    failures++;
    var unused = thread.schedule(this::start, pause, TimeUnit.MILLISECONDS);
  }

  /** The other connection broke: this one may be dead without telling. */
  void reconnect() {
    if (current != null) {
      current.cut();
    }
  }

  /** Opens no further connection. */
  void close() {
    closed = true;
    reconnect();
  }

  /**
   * What is published on an election's channel. A release is told by the identity of who released;
   * whatever else there is begins with a word and a tab, which no identity contains. So to a node
   * that does not know the word it is one more hint to look.
   */
  static final class ChannelMessage {
    private static final String PRIORITY_REQUEST = "wish\t";
    private static final String SUCCESSOR = "heir\t";

    private ChannelMessage() {}

    /** The lease was released, for whoever comes first or for the node named. */
    static String released(String by, @Nullable String heir) {
      return heir == null ? by : SUCCESSOR + heir;
    }

    static String of(PriorityRequest wish) {
      return PRIORITY_REQUEST + wish.text();
    }

    /**
     * Whether {@code self} should look: others leave a release to its heir, and ask when they do.
     */
    static boolean wakes(String self, String text) {
      if (text.startsWith(SUCCESSOR)) {
        return text.equals(SUCCESSOR + self);
      }
      return !text.startsWith(PRIORITY_REQUEST) && !text.equals(self);
    }

    /** The wish in it; null if it is something else. */
    static @Nullable PriorityRequest priorityRequestIn(String text) {
      return text.startsWith(PRIORITY_REQUEST)
          ? PriorityRequest.read(text.substring(PRIORITY_REQUEST.length()))
          : null;
    }
  }
}
