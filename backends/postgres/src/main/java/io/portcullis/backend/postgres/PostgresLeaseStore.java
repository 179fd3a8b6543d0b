package io.portcullis.backend.postgres;

import io.portcullis.election.backend.PendingRequest;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.HeldByOther;
import io.portcullis.election.store.LeaseResponse.Unknown;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.StoreFeatures.HintSource;
import io.portcullis.election.store.StoreFeatures.LogSuffixSource;
import io.portcullis.election.store.StoreFeatures.PriorityRequest;
import io.portcullis.election.store.StoreFeatures.PriorityRequestChannel;
import io.portcullis.election.threads.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lease store of one node on one row. Requests never block the caller. Reads and claims run on the
 * thread that reads through the pool; a claim that the row allows then runs on the thread that owns
 * the dedicated session. Heartbeats and releases run on the session's thread directly.
 */
final class PostgresLeaseStore
    implements LeaseStore, HintSource, PriorityRequestChannel, LogSuffixSource {
  /**
   * Maximum number of queued requests. The election sends one at a time, so it is rarely reached.
   */
  private static final int MAX_QUEUED_REQUESTS = 64;

  /** Interval at which a standby without a session tries to open one. */
  private static final Duration SESSION_RETRY_INTERVAL = Duration.ofSeconds(10);

  private final PostgresStorePlan plan;
  private final ElectionConfig config;
  private final ConnectionFactory connections;
  private final LeaseSql sql;
  private final PostgresErrorMessages errors;
  private final LockSessionWorker lockWorker;
  private final @Nullable NotificationListener notifications;
  private final ThreadPoolExecutor readExecutor;
  private final ThreadPoolExecutor sessionExecutor;
  private volatile Runnable wake = () -> {};
  private volatile Consumer<PriorityRequest> priorityRequestListener = request -> {};
  private volatile boolean closed;
  private @Nullable PooledRowReader reader;
  private long openedEarlyNanos = System.nanoTime();

  private PostgresLeaseStore(PostgresStorePlan plan, ElectionConfig config) {
    this.plan = plan;
    this.config = config;
    PostgresServerWarnings warnings = new PostgresServerWarnings(plan, config);
    connections = new ConnectionFactory(plan, config.identity(), warnings);
    sql = new LeaseSql(plan, connections.incarnation());
    errors = new PostgresErrorMessages(plan);
    lockWorker =
        new LockSessionWorker(
            plan, new SessionFactory(plan, connections, sql, warnings), errors, warnings);
    String channel = plan.channel();
    notifications =
        channel == null
            ? null
            : new NotificationListener(
                plan,
                channel,
                config,
                connections,
                () -> wake.run(),
                request -> priorityRequestListener.accept(request));
    readExecutor = executor("read");
    sessionExecutor = executor("session");
  }

  static PostgresLeaseStore open(PostgresStorePlan plan, ElectionConfig config) {
    PostgresLeaseStore store = new PostgresLeaseStore(plan, config);
    store.sessionExecutor.execute(store.lockWorker::openEarly);
    if (store.notifications != null) {
      store.notifications.start(store.threadName("listen"));
    }
    return store;
  }

  private ThreadPoolExecutor executor(String what) {
    return DaemonThreads.single(threadName(what), new ArrayBlockingQueue<>(MAX_QUEUED_REQUESTS));
  }

  private String threadName(String what) {
    return "portcullis-" + config.name() + "-postgres-" + what;
  }

  @Override
  public CompletionStage<LeaseResponse> ask(LeaseRequest request) {
    if (closed) {
      return CompletableFuture.completedFuture(new Unknown("the store is closed"));
    }
    PendingRequest pending = PendingRequest.within(plan.timing().askTimeout(), request);
    boolean startsWithRead =
        request instanceof LeaseRequest.Look || request instanceof LeaseRequest.Acquire;
    run(
        startsWithRead ? readExecutor : sessionExecutor,
        pending::unknown,
        () -> {
          if (startsWithRead) {
            read(pending);
          } else {
            serve(pending);
          }
        });
    return pending.response();
  }

  /** Executes a read or a claim. Only a node whose gate is shut sends these. */
  private void read(PendingRequest pending) {
    LeaseResponse response = reader().answer(pending.request());
    keepReady(response);
    if (response != null) {
      pending.answer(response);
    } else {
      run(sessionExecutor, pending::unknown, () -> serve(pending));
    }
  }

  private void serve(PendingRequest pending) {
    pending.answer(lockWorker.serve(pending.request(), pending.deadlineNanos()));
  }

  /**
   * Keeps the session ready while another node leads: no request needs it then, but a takeover
   * will. Also releases a lock that this node no longer needs.
   */
  private void keepReady(@Nullable LeaseResponse response) {
    boolean notOurs =
        response instanceof HeldByOther held
            && !(held.record().isHeld() && held.record().holder().equals(config.identity()));
    if (notOurs && lockWorker.mayHoldLock()) {
      runIfFree(lockWorker::releaseLock);
    }
    long now = System.nanoTime();
    if (notOurs
        && lockWorker.isShut()
        && now - openedEarlyNanos >= SESSION_RETRY_INTERVAL.toNanos()) {
      openedEarlyNanos = now;
      runIfFree(lockWorker::openEarly);
    }
  }

  private void runIfFree(Runnable task) {
    if (sessionExecutor.getQueue().isEmpty() && !closed) {
      run(sessionExecutor, reason -> {}, task); // The next request reports a problem.
    }
  }

  private void run(ThreadPoolExecutor thread, Consumer<String> onFailure, Runnable task) {
    try {
      thread.execute(
          () -> {
            try {
              task.run();
            } catch (RuntimeException | LinkageError e) {
              onFailure.accept(errors.at(e.toString()));
            }
          });
    } catch (RejectedExecutionException e) {
      onFailure.accept(errors.at("too many requests are queued behind a stuck one"));
    }
  }

  private PooledRowReader reader() {
    PooledRowReader created = reader;
    if (created == null) {
      created = new PooledRowReader(plan, connections, sql, errors, poolThreads());
      reader = created;
    }
    return created;
  }

  private ThreadFactory poolThreads() {
    return DaemonThreads.factory(threadName("pool"), () -> closed);
  }

  @Override
  public void onHint(Runnable listener) {
    wake = listener;
  }

  @Override
  public void sendPriorityRequest(PriorityRequest request) {
    if (notifications != null) {
      notifications.enqueue(request);
    }
  }

  @Override
  public void onPriorityRequest(Consumer<PriorityRequest> listener) {
    priorityRequestListener = listener;
  }

  @Override
  public String logSuffix() {
    return plan.logSuffix();
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (notifications != null) {
      notifications.close();
    }
    boolean stuck = sessionExecutor.getActiveCount() > 0;
    end(sessionExecutor, lockWorker::end);
    end(readExecutor, this::closeReader);
    if (stuck) {
      lockWorker.abort(); // Otherwise a stuck statement would keep the lock.
    }
  }

  /** Shuts a thread down after its queued requests; a full queue is discarded. */
  private static void end(ThreadPoolExecutor thread, Runnable last) {
    if (thread.getQueue().remainingCapacity() == 0) {
      thread.getQueue().clear();
    }
    thread.execute(last);
    thread.shutdown();
  }

  private void closeReader() {
    PooledRowReader created = reader;
    if (created != null) {
      created.close();
    }
  }
}
