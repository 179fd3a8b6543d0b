package io.portcullis.backend.postgres;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.HeldByOther;
import io.portcullis.election.store.LeaseResponse.Unknown;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.PriorityRequest;
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
 * One node's way to one election's row. Whoever asks is never kept waiting: looks and claims go to
 * the thread that reads by the pool, and from there to the thread that owns the dedicated session,
 * if the row lets them; heartbeats and releases go to that one at once.
 */
final class PostgresLeaseStore implements LeaseStore {
  /** The machine asks one thing at a time; more than this waits only if a statement is stuck. */
  private static final int MAX_QUEUED_REQUESTS = 64;

  /** How often a standby without a session tries to have one. */
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
  private volatile Consumer<PriorityRequest> priorityRequestListener = wish -> {};
  private volatile boolean closed;
  private @Nullable PooledRowReader reader;
  private long openedEarlyNanos = System.nanoTime();

  private PostgresLeaseStore(PostgresStorePlan plan, ElectionConfig config) {
    this.plan = plan;
    this.config = config;
    PostgresServerWarnings notices = new PostgresServerWarnings(plan, config);
    connections = new ConnectionFactory(plan, config.identity(), notices);
    sql = new LeaseSql(plan, connections.incarnation());
    errors = new PostgresErrorMessages(plan);
    lockWorker =
        new LockSessionWorker(
            plan, new SessionFactory(plan, connections, sql, notices), errors, notices);
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
                wish -> priorityRequestListener.accept(wish));
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
    long deadline = System.nanoTime() + plan.timing().askTimeout().toNanos();
    CompletableFuture<LeaseResponse> reply = new CompletableFuture<>();
    boolean byRow = request instanceof LeaseRequest.Look || request instanceof LeaseRequest.Acquire;
    run(
        byRow ? readExecutor : sessionExecutor,
        reply,
        () -> {
          if (byRow) {
            read(request, deadline, reply);
          } else {
            reply.complete(lockWorker.serve(request, deadline));
          }
        });
    return reply;
  }

  /** Only a node whose gate is shut looks or claims. */
  private void read(LeaseRequest request, long deadline, CompletableFuture<LeaseResponse> reply) {
    LeaseResponse answer = reader().answer(request);
    keepReady(answer);
    if (answer != null) {
      reply.complete(answer);
    } else {
      run(sessionExecutor, reply, () -> reply.complete(lockWorker.serve(request, deadline)));
    }
  }

  /** While another leads, no request needs the session: but it must be there when one does. */
  private void keepReady(@Nullable LeaseResponse answer) {
    boolean notOurs =
        answer instanceof HeldByOther held
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
      run(sessionExecutor, new CompletableFuture<>(), task);
    }
  }

  private void run(
      ThreadPoolExecutor thread, CompletableFuture<LeaseResponse> reply, Runnable task) {
    try {
      thread.execute(
          () -> {
            try {
              task.run();
            } catch (RuntimeException | LinkageError e) {
              reply.complete(new Unknown(errors.at(e.toString())));
            }
          });
    } catch (RejectedExecutionException e) {
      reply.complete(new Unknown(errors.at("too many requests wait for one that is stuck")));
    }
  }

  private PooledRowReader reader() {
    PooledRowReader made = reader;
    if (made == null) {
      made = new PooledRowReader(plan, connections, sql, errors, poolThreads());
      reader = made;
    }
    return made;
  }

  private ThreadFactory poolThreads() {
    return DaemonThreads.factory(threadName("pool"), () -> closed);
  }

  @Override
  public void onHint(Runnable listener) {
    wake = listener;
  }

  @Override
  public void sendPriorityRequest(PriorityRequest wish) {
    if (notifications != null) {
      notifications.enqueue(wish);
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
      lockWorker.abort(); // Else a statement without an end would keep the lock.
    }
  }

  /** What waits is still answered, unless so much waits that nothing is to be hoped for. */
  private static void end(ThreadPoolExecutor thread, Runnable last) {
    if (thread.getQueue().remainingCapacity() == 0) {
      thread.getQueue().clear();
    }
    thread.execute(last);
    thread.shutdown();
  }

  private void closeReader() {
    PooledRowReader made = reader;
    if (made != null) {
      made.close();
    }
  }
}
