package io.portcullis.backend.redis;

import io.portcullis.backend.redis.HintSubscriber.ChannelMessage;
import io.portcullis.backend.redis.RequestSender.PendingRequest;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.PriorityRequest;
import io.portcullis.election.store.StoreFeatures.HintSource;
import io.portcullis.election.store.StoreFeatures.PriorityRequestChannel;
import io.portcullis.election.threads.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One election's lease in Redis, as one node sees it. Callers never wait: everything happens on a
 * thread of the store's own, which also loads Lettuce on first use, and on Lettuce's event loop.
 */
final class RedisLeaseStore implements LeaseStore, HintSource, PriorityRequestChannel {
  /** Opening a connection may take longer than one request may; the next request then uses it. */
  private static final Duration MIN_CONNECT_TIMEOUT = Duration.ofSeconds(1);

  private final RedisStorePlan plan;
  private final ElectionConfig config;
  private final ScheduledThreadPoolExecutor thread;
  private final Duration connectTimeout;
  private volatile Runnable hintListener = () -> {};
  private volatile Consumer<PriorityRequest> priorityRequestListener = request -> {};
  private volatile boolean closed;
  private @Nullable Connections connections;

  /** Created on the store's own thread, when first needed. */
  private record Connections(
      LettuceConnector connector, RequestSender sender, HintSubscriber subscriber) {}

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
    store.thread.execute(() -> store.connections().sender().connect());
    return store;
  }

  private String threadName() {
    return "portcullis-" + config.name() + "-redis";
  }

  private Connections connections() {
    Connections made = connections;
    if (made == null) {
      LettuceConnector connector = new LettuceConnector(plan.access(), threadName(), thread);
      ServerSelector servers = new ServerSelector(plan.access(), connector, connectTimeout);
      HintSubscriber subscriber =
          new HintSubscriber(
              plan,
              config.identity(),
              servers,
              connector,
              thread,
              connectTimeout.toNanos(),
              new HintSubscriber.Listener(
                  () -> hintListener.run(), request -> priorityRequestListener.accept(request)));
      RequestSender sender =
          new RequestSender(plan, config, servers, thread, subscriber::reconnect);
      made = new Connections(connector, sender, subscriber);
      connections = made;
      subscriber.start();
    }
    return made;
  }

  @Override
  public CompletionStage<LeaseResponse> ask(LeaseRequest request) {
    if (closed) {
      return CompletableFuture.completedFuture(new LeaseResponse.Unknown("the store is closed"));
    }
    long deadline = System.nanoTime() + config.timing().askTimeout().toNanos();
    PendingRequest pending = new PendingRequest(request, deadline);
    thread.execute(() -> run(pending));
    return pending.reply;
  }

  private void run(PendingRequest pending) {
    try {
      connections().sender().run(pending);
    } catch (RuntimeException | LinkageError e) {
      pending.unknown(plan.describe() + ": " + e);
    }
  }

  @Override
  public void onHint(Runnable listener) {
    hintListener = listener;
  }

  @Override
  public void sendPriorityRequest(PriorityRequest request) {
    long deadline = System.nanoTime() + config.timing().askTimeout().toNanos();
    thread.execute(() -> connections().sender().publishHint(ChannelMessage.of(request), deadline));
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

  /** Runs a task on the thread that all connections share; for tests. */
  void onEventLoop(Runnable task) {
    thread.execute(() -> connections().connector().eventLoop().execute(task));
  }

  private void closeConnections() {
    Connections made = connections;
    if (made != null) {
      made.subscriber().close();
      made.sender().close();
      made.connector().close();
    }
    thread.shutdown();
  }
}
