package io.portcullis.backend.redis;

import io.portcullis.backend.redis.HintSubscriber.ChannelMessage;
import io.portcullis.backend.redis.RedisClient.PendingRedisRequest;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.PriorityRequest;
import io.portcullis.election.threads.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One node's way to one election's lease in Redis. Whoever asks is never kept waiting: everything
 * happens on a thread of the store's own, which also loads the client on first use; two more wait
 * for the network, one for answers and one for hints.
 */
final class RedisLeaseStore implements LeaseStore {
  /** Opening a connection may take longer than one request has: the next one then finds it. */
  private static final Duration MIN_CONNECT_TIMEOUT = Duration.ofSeconds(1);

  private final RedisStorePlan plan;
  private final ElectionConfig config;
  private final ScheduledThreadPoolExecutor thread;
  private final Duration connectTimeout;
  private volatile Runnable wake = () -> {};
  private volatile Consumer<PriorityRequest> priorityRequestListener = wish -> {};
  private volatile boolean closed;
  private @Nullable Connections connections;

  /** Made on the store's own thread, when first needed. */
  private record Connections(
      RedisIoExecutor asking, RedisClient link, RedisIoExecutor hearing, HintSubscriber wakes) {}

  private RedisLeaseStore(RedisStorePlan plan, ElectionConfig config) {
    this.plan = plan;
    this.config = config;
    Duration ask = config.timing().askTimeout();
    connectTimeout = ask.compareTo(MIN_CONNECT_TIMEOUT) > 0 ? ask : MIN_CONNECT_TIMEOUT;
    thread = DaemonThreads.scheduled(threadName(), new ThreadPoolExecutor.DiscardPolicy());
    thread.setRemoveOnCancelPolicy(true);
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  static RedisLeaseStore open(RedisStorePlan plan, ElectionConfig config) {
    RedisLeaseStore store = new RedisLeaseStore(plan, config);
    store.thread.execute(() -> store.connections().link().connect());
    return store;
  }

  private String threadName() {
    return "portcullis-" + config.name() + "-redis";
  }

  private Connections connections() {
    Connections made = connections;
    if (made == null) {
      ServerSelector dialer = new ServerSelector(plan.access(), connectTimeout);
      long connectNanos = connectTimeout.toNanos();
      RedisIoExecutor hearing = new RedisIoExecutor(threadName() + "-hints");
      HintSubscriber wakes =
          new HintSubscriber(
              plan,
              config.identity(),
              dialer,
              hearing,
              thread,
              connectNanos,
              () -> wake.run(),
              wish -> priorityRequestListener.accept(wish));
      RedisIoExecutor asking = new RedisIoExecutor(threadName() + "-requests");
      RedisClient link =
          new RedisClient(plan, config, dialer, asking, thread, connectNanos, wakes::reconnect);
      made = new Connections(asking, link, hearing, wakes);
      connections = made;
      wakes.start();
    }
    return made;
  }

  @Override
  public CompletionStage<LeaseResponse> ask(LeaseRequest request) {
    if (closed) {
      return CompletableFuture.completedFuture(new LeaseResponse.Unknown("the store is closed"));
    }
    long deadline = System.nanoTime() + config.timing().askTimeout().toNanos();
    PendingRedisRequest errand = new PendingRedisRequest(request, deadline);
    thread.execute(() -> run(errand));
    return errand.reply;
  }

  private void run(PendingRedisRequest errand) {
    try {
      connections().link().run(errand);
    } catch (RuntimeException | LinkageError e) {
      errand.unknown(plan.describe() + ": " + e);
    }
  }

  @Override
  public void onHint(Runnable listener) {
    wake = listener;
  }

  @Override
  public void sendPriorityRequest(PriorityRequest wish) {
    long deadline = System.nanoTime() + config.timing().askTimeout().toNanos();
    thread.execute(() -> connections().link().publishHint(ChannelMessage.of(wish), deadline));
  }

  @Override
  public void onPriorityRequest(Consumer<PriorityRequest> listener) {
    priorityRequestListener = listener;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      thread.execute(this::closeConnections);
    }
  }

  private void closeConnections() {
    Connections made = connections;
    if (made != null) {
      made.wakes().close();
      made.hearing().shutdown();
      made.link().close();
      made.asking().shutdown();
    }
    thread.shutdown();
  }
}
