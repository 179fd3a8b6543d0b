package io.portcullis.backend.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears of releases. These are hints only: whatever is missed is found by asking, so a connection
 * that breaks is replaced without hurry, and after each one something may have been missed.
 *
 * <p>All methods run on one thread, the store's own.
 */
final class Wakes {
  private static final Logger LOG = LoggerFactory.getLogger(Wakes.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
  private static final int DOUBLINGS = 7;

  private final RedisPlan plan;
  private final String self;
  private final Dialer dialer;
  private final ScheduledExecutorService thread;
  private final Runnable wake;
  private @Nullable StatefulRedisPubSubConnection<String, String> current;
  private boolean over;
  private int failures;

  Wakes(
      RedisPlan plan, String self, Dialer dialer, ScheduledExecutorService thread, Runnable wake) {
    this.plan = plan;
    this.self = self;
    this.dialer = dialer;
    this.thread = thread;
    this.wake = wake;
  }

  void start() {
    if (over) {
      return;
    }
    dialer
        .dialForEvents()
        .whenCompleteAsync(
            (connection, failure) -> {
              if (failure != null) {
                startLater();
              } else {
                listen(connection);
              }
            },
            thread);
  }

  private void listen(StatefulRedisPubSubConnection<String, String> connection) {
    if (over) {
      hangUp(connection);
      return;
    }
    current = connection;
    connection.addListener(
        new RedisPubSubAdapter<String, String>() {
          @Override
          public void message(String channel, String node) {
            if (!node.equals(self)) {
              wake.run();
            }
          }
        });
    connection.addListener(
        new RedisConnectionStateListener() {
          @Override
          public void onRedisDisconnected(RedisChannelHandler<?, ?> lost) {
            thread.execute(() -> onLost(connection));
          }
        });
    new Commands(connection)
        .subscribe(plan.keys().channel())
        .whenCompleteAsync((done, failure) -> onSubscribed(connection, failure), thread);
    if (!connection.isOpen()) {
      onLost(connection); // Before anybody listened.
    }
  }

  private void onSubscribed(
      StatefulRedisPubSubConnection<String, String> connection, @Nullable Throwable failure) {
    if (failure == null) {
      failures = 0;
      wake.run();
    } else if (Trouble.isRefusal(failure)) {
      over = true; // Not permitted: asking again would not help.
      LOG.info(
          "{}: SUBSCRIBE to {} is not allowed, so a release is noticed only by the next question",
          plan.describe(),
          plan.keys().channel());
      hangUp(connection);
    } else {
      hangUp(connection);
    }
  }

  private void onLost(StatefulRedisPubSubConnection<String, String> connection) {
    if (current == connection) {
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
    if (current != null && current.isOpen()) {
      hangUp(current);
    }
  }

  private static void hangUp(StatefulRedisPubSubConnection<String, String> connection) {
    var unused = connection.closeAsync();
  }

  /** Opens no further connection. */
  void end() {
    over = true;
  }
}
