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
  private static final int MAX_WAITING = 64;

  /** How often a standby without a session tries to have one. */
  private static final Duration OPEN_AGAIN = Duration.ofSeconds(10);

  private final PostgresStorePlan plan;
  private final ElectionConfig config;
  private final ConnectionFactory dialer;
  private final LeaseSql sql;
  private final PostgresErrorMessages trouble;
  private final LockSessionWorker keeper;
  private final @Nullable NotificationListener ears;
  private final ThreadPoolExecutor reading;
  private final ThreadPoolExecutor keeping;
  private volatile Runnable wake = () -> {};
  private volatile Consumer<PriorityRequest> heard = wish -> {};
  private volatile boolean closed;
  private @Nullable PooledRowReader reader;
  private long openedEarlyNanos = System.nanoTime();

  private PostgresLeaseStore(PostgresStorePlan plan, ElectionConfig config) {
    this.plan = plan;
    this.config = config;
    PostgresServerWarnings notices = new PostgresServerWarnings(plan, config);
    dialer = new ConnectionFactory(plan, config.identity(), notices);
    sql = new LeaseSql(plan, dialer.life());
    trouble = new PostgresErrorMessages(plan);
    keeper =
        new LockSessionWorker(
            plan, new SessionFactory(plan, dialer, sql, notices), trouble, notices);
    String channel = plan.channel();
    ears =
        channel == null
            ? null
            : new NotificationListener(
                plan, channel, config, dialer, () -> wake.run(), wish -> heard.accept(wish));
    reading = executor("read");
    keeping = executor("session");
  }

  static PostgresLeaseStore open(PostgresStorePlan plan, ElectionConfig config) {
    PostgresLeaseStore store = new PostgresLeaseStore(plan, config);
    store.keeping.execute(store.keeper::openEarly);
    if (store.ears != null) {
      store.ears.start(store.threadName("listen"));
    }
    return store;
  }

  private ThreadPoolExecutor executor(String what) {
    return DaemonThreads.single(threadName(what), new ArrayBlockingQueue<>(MAX_WAITING));
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
        byRow ? reading : keeping,
        reply,
        () -> {
          if (byRow) {
            read(request, deadline, reply);
          } else {
            reply.complete(keeper.serve(request, deadline));
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
      run(keeping, reply, () -> reply.complete(keeper.serve(request, deadline)));
    }
  }

  /** While another leads, no request needs the session: but it must be there when one does. */
  private void keepReady(@Nullable LeaseResponse answer) {
    boolean notOurs =
        answer instanceof HeldByOther held
            && !(held.record().isHeld() && held.record().holder().equals(config.identity()));
    if (notOurs && keeper.mayHoldLock()) {
      runIfFree(keeper::giveBackLock);
    }
    long now = System.nanoTime();
    if (notOurs && keeper.isShut() && now - openedEarlyNanos >= OPEN_AGAIN.toNanos()) {
      openedEarlyNanos = now;
      runIfFree(keeper::openEarly);
    }
  }

  private void runIfFree(Runnable task) {
    if (keeping.getQueue().isEmpty() && !closed) {
      run(keeping, new CompletableFuture<>(), task);
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
              reply.complete(new Unknown(trouble.at(e.toString())));
            }
          });
    } catch (RejectedExecutionException e) {
      reply.complete(new Unknown(trouble.at("too many requests wait for one that is stuck")));
    }
  }

  private PooledRowReader reader() {
    PooledRowReader made = reader;
    if (made == null) {
      made = new PooledRowReader(plan, dialer, sql, trouble, poolThreads());
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
    if (ears != null) {
      ears.tell(wish);
    }
  }

  @Override
  public void onPriorityRequest(Consumer<PriorityRequest> listener) {
    heard = listener;
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
    if (ears != null) {
      ears.close();
    }
    boolean stuck = keeping.getActiveCount() > 0;
    end(keeping, keeper::end);
    end(reading, this::closeReader);
    if (stuck) {
      keeper.abort(); // Else a statement without an end would keep the lock.
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
