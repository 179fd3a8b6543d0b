package io.portcullis.backend.redis;

import io.portcullis.backend.redis.HintSubscriber.ChannelMessage;
import io.portcullis.election.backend.PendingRequest;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.StoreFeatures.GrantDelay;
import io.portcullis.election.store.StoreFeatures.GrantDelaySource;
import io.portcullis.election.store.StoreFeatures.HintSource;
import io.portcullis.election.store.StoreFeatures.PriorityRequest;
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
 * One election's lease in Redis, as one node sees it. Callers never wait: all work runs on the
 * store's own thread, which also loads Lettuce on first use, and on Lettuce's event loop.
 */
final class RedisLeaseStore
    implements LeaseStore, HintSource, PriorityRequestChannel, GrantDelaySource {
  /** May exceed the ask timeout of a request; the next request then uses the connection. */
  private static final Duration MIN_CONNECT_TIMEOUT = Duration.ofSeconds(1);

  private final RedisStorePlan plan;
  private final ElectionConfig config;
  private final ScheduledThreadPoolExecutor thread;
  private final Duration connectTimeout;
  private final ServerStartDelay startDelay = new ServerStartDelay();
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
    Duration askTimeout = config.timing().askTimeout();
    connectTimeout =
        askTimeout.compareTo(MIN_CONNECT_TIMEOUT) > 0 ? askTimeout : MIN_CONNECT_TIMEOUT;
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
    Connections current = connections;
    if (current == null) {
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
      RedisErrorMessages errors =
          new RedisErrorMessages(plan.access(), plan.keys(), connector::sentPassword);
      RequestSender sender =
          new RequestSender(
              plan, config, servers, thread, errors, startDelay, subscriber::reconnect);
      current = new Connections(connector, sender, subscriber);
      connections = current;
      subscriber.start();
    }
    return current;
  }

  @Override
  public CompletionStage<LeaseResponse> ask(LeaseRequest request) {
    if (closed) {
      return CompletableFuture.completedFuture(new LeaseResponse.Unknown("the store is closed"));
    }
    PendingRequest pending = PendingRequest.within(config.timing().askTimeout(), request);
    thread.execute(() -> run(pending));
    return pending.response();
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
    long deadlineNanos = System.nanoTime() + config.timing().askTimeout().toNanos();
    thread.execute(
        () -> connections().sender().publishHint(ChannelMessage.of(request), deadlineNanos));
  }

  @Override
  public void onPriorityRequest(Consumer<PriorityRequest> listener) {
    priorityRequestListener = listener;
  }

  @Override
  public @Nullable GrantDelay grantDelay() {
    return startDelay.at(System.nanoTime());
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
    Connections current = connections;
    if (current != null) {
      current.subscriber().close();
      current.sender().close();
      current.connector().close();
    }
    thread.shutdown();
  }
}
