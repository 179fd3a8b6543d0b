package io.portcullis.backend.redis;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.pubsub.PubSubOutput;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.portcullis.backend.redis.LettuceConnector.OpenConnection;
import io.portcullis.election.backend.RetryBackoff;
import io.portcullis.election.config.Backoff;
import io.portcullis.election.store.StoreFeatures.PriorityRequest;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Subscribes to releases and priority requests. Both are hints: a node that misses one notices the
 * change with its next request. So a lost connection is replaced after a backoff, and each new
 * connection is a hint by itself, since messages may have been missed. A server that refuses the
 * subscription is asked again, unless it forbids the command.
 *
 * <p>All methods run on one thread, the store's own.
 */
final class HintSubscriber {
  private static final Logger LOG = LoggerFactory.getLogger(HintSubscriber.class);

  private static final Backoff RECONNECT_BACKOFF =
      new Backoff(Duration.ofMillis(250), Duration.ofSeconds(32), 0.5);

  /** Messages that wait for the store's thread; more are dropped. */
  private static final int MAX_PENDING_MESSAGES = 64;

  private final RedisStorePlan plan;
  private final String self;
  private final ServerSelector servers;
  private final LettuceConnector connector;
  private final ScheduledExecutorService thread;
  private final Listener listener;
  private final long connectNanos;
  private final AtomicInteger pendingMessages = new AtomicInteger();
  private final RetryBackoff reconnectBackoff = new RetryBackoff(RECONNECT_BACKOFF);
  private @Nullable OpenConnection<?> current;
  private boolean closed;

  /** Receives the hints. */
  record Listener(Runnable onHint, Consumer<PriorityRequest> onPriorityRequest) {}

  HintSubscriber(
      RedisStorePlan plan,
      String self,
      ServerSelector servers,
      LettuceConnector connector,
      ScheduledExecutorService thread,
      long connectNanos,
      Listener listener) {
    this.plan = plan;
    this.self = self;
    this.servers = servers;
    this.connector = connector;
    this.thread = thread;
    this.connectNanos = connectNanos;
    this.listener = listener;
  }

  void start() {
    if (closed) {
      return;
    }
    var unused =
        servers
            .next()
            .connectPubSub()
            .whenCompleteAsync(
                (open, failure) -> {
                  if (failure != null) {
                    startLater();
                  } else if (closed) {
                    open.close();
                  } else {
                    subscribe(open);
                  }
                },
                thread);
  }

  private void subscribe(OpenConnection<StatefulRedisPubSubConnection<String, String>> connection) {
    current = connection;
    connection
        .lettuce()
        .addListener(
            new RedisPubSubAdapter<>() {
              @Override
              public void message(String channel, String message) {
                onMessage(message);
              }
            });
    connection
        .channel()
        .closeFuture()
        .addListener(closing -> thread.execute(() -> onLost(connection)));
    AsyncCommand<String, String, String> subscribing =
        new AsyncCommand<>(
            new Command<>(
                CommandType.SUBSCRIBE,
                new PubSubOutput<>(StringCodec.UTF8),
                new CommandArgs<>(StringCodec.UTF8).addKey(plan.keys().channel())));
    connector.failAfter(connectNanos, subscribing);
    var unused = connection.lettuce().dispatch(subscribing);
    var unusedSubscription =
        subscribing.whenCompleteAsync((done, failure) -> onSubscribed(connection, failure), thread);
  }

  private void onSubscribed(OpenConnection<?> connection, @Nullable Throwable failure) {
    if (failure == null) {
      reconnectBackoff.reset();
      listener.onHint().run();
      return;
    }
    if (RedisErrorMessages.isForbiddenCommand(failure)) {
      closed = true; // Another attempt would be refused too.
      LOG.info(
          "{}: SUBSCRIBE to {} is not allowed, so a release is noticed only by the next request,"
              + " and priority requests of other nodes are not received",
          plan.describe(),
          plan.keys().channel());
    }
    connection.close();
  }

  /** Called by the event loop, which never runs a listener: that could block all connections. */
  private void onMessage(String message) {
    if (pendingMessages.incrementAndGet() > MAX_PENDING_MESSAGES) {
      pendingMessages.decrementAndGet();
      return;
    }
    thread.execute(
        () -> {
          pendingMessages.decrementAndGet();
          dispatch(message);
        });
  }

  private void dispatch(String message) {
    PriorityRequest request = ChannelMessage.priorityRequestIn(message);
    if (request != null) {
      listener.onPriorityRequest().accept(request);
    } else if (ChannelMessage.wakes(self, message)) {
      listener.onHint().run();
    }
  }

  private void onLost(OpenConnection<?> connection) {
    connection.close(); // Lettuce keeps a reference until then.
    if (connection.equals(current)) {
      current = null;
      startLater();
    }
  }

  private void startLater() {
    long pauseNanos = reconnectBackoff.nextPauseNanos();
    var unused = thread.schedule(this::start, pauseNanos, TimeUnit.NANOSECONDS);
  }

  /** Replaces the connection: the one for requests broke, so this one may be half open. */
  void reconnect() {
    if (current != null) {
      current.close();
    }
  }

  /** Opens no further connection. */
  void close() {
    closed = true;
    reconnect();
  }

  /**
   * The messages on an election's channel. A release is the identity of the node that released. Any
   * other message begins with a word and a tab, which no identity contains, so a node that does not
   * know the word treats the message as a hint. The words are part of the format and must not
   * change.
   */
  static final class ChannelMessage {
    private static final String PRIORITY_REQUEST = "priority-request\t";
    private static final String SUCCESSOR = "successor\t";

    private ChannelMessage() {}

    /** The lease was released, for any node or only for the successor. */
    static String released(String by, @Nullable String successor) {
      return successor == null ? by : SUCCESSOR + successor;
    }

    static String of(PriorityRequest request) {
      return PRIORITY_REQUEST + request.text();
    }

    /** Whether it is a hint for {@code self}; a release for a successor is a hint for it alone. */
    static boolean wakes(String self, String text) {
      if (text.startsWith(SUCCESSOR)) {
        return text.equals(SUCCESSOR + self);
      }
      return !text.startsWith(PRIORITY_REQUEST) && !text.equals(self);
    }

    /** The priority request in a message; null if it is another message. */
    static @Nullable PriorityRequest priorityRequestIn(String text) {
      return text.startsWith(PRIORITY_REQUEST)
          ? PriorityRequest.read(text.substring(PRIORITY_REQUEST.length()))
          : null;
    }
  }
}
