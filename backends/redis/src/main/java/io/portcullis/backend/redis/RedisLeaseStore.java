package io.portcullis.backend.redis;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.store.Answer;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.Request;
import io.portcullis.election.store.Wish;
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
  private static final Duration SHORTEST_CONNECT = Duration.ofSeconds(1);

  private final RedisPlan plan;
  private final ElectionConfig config;
  private final ScheduledThreadPoolExecutor thread;
  private final Duration connectTimeout;
  private volatile Runnable wake = () -> {};
  private volatile Consumer<Wish> heard = wish -> {};
  private volatile boolean closed;
  private @Nullable Parts parts;

  /** Made on the store's own thread, when first needed. */
  private record Parts(Worker asking, Link link, Worker hearing, Wakes wakes) {}

  private RedisLeaseStore(RedisPlan plan, ElectionConfig config) {
    this.plan = plan;
    this.config = config;
    Duration ask = config.timing().askTimeout();
    connectTimeout = ask.compareTo(SHORTEST_CONNECT) > 0 ? ask : SHORTEST_CONNECT;
    thread = DaemonThreads.scheduled(threadName(), new ThreadPoolExecutor.DiscardPolicy());
    thread.setRemoveOnCancelPolicy(true);
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  static RedisLeaseStore open(RedisPlan plan, ElectionConfig config) {
    RedisLeaseStore store = new RedisLeaseStore(plan, config);
    store.thread.execute(() -> store.parts().link().connect());
    return store;
  }

  private String threadName() {
    return "portcullis-" + config.name() + "-redis";
  }

  private Parts parts() {
    Parts made = parts;
    if (made == null) {
      Dialer dialer = new Dialer(plan.access(), connectTimeout);
      long connectNanos = connectTimeout.toNanos();
      Worker hearing = new Worker(threadName() + "-hints");
      Wakes wakes =
          new Wakes(
              plan,
              config.identity(),
              dialer,
              hearing,
              thread,
              connectNanos,
              () -> wake.run(),
              wish -> heard.accept(wish));
      Worker asking = new Worker(threadName() + "-requests");
      Link link = new Link(plan, config, dialer, asking, thread, connectNanos, wakes::renew);
      made = new Parts(asking, link, hearing, wakes);
      parts = made;
      wakes.start();
    }
    return made;
  }

  @Override
  public CompletionStage<Answer> ask(Request request) {
    if (closed) {
      return CompletableFuture.completedFuture(new Answer.Unknown("the store is closed"));
    }
    long deadline = System.nanoTime() + config.timing().askTimeout().toNanos();
    Errand errand = new Errand(request, deadline);
    thread.execute(() -> run(errand));
    return errand.reply;
  }

  private void run(Errand errand) {
    try {
      parts().link().run(errand);
    } catch (RuntimeException | LinkageError e) {
      errand.unknown(plan.describe() + ": " + e);
    }
  }

  @Override
  public void onHint(Runnable listener) {
    wake = listener;
  }

  @Override
  public void wish(Wish wish) {
    long deadline = System.nanoTime() + config.timing().askTimeout().toNanos();
    thread.execute(() -> parts().link().tell(Message.of(wish), deadline));
  }

  @Override
  public void onWish(Consumer<Wish> listener) {
    heard = listener;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      thread.execute(this::free);
    }
  }

  private void free() {
    Parts made = parts;
    if (made != null) {
      made.wakes().end();
      made.hearing().end();
      made.link().end();
      made.asking().end();
    }
    thread.shutdown();
  }
}
