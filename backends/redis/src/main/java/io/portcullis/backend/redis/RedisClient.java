package io.portcullis.backend.redis;

import io.portcullis.backend.redis.RedisAddress.Host;
import io.portcullis.backend.redis.RedisAddress.Topology;
import io.portcullis.backend.redis.RedisConnection.NotSentException;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.StoreClockCheck;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The way of requests to Redis: at most one connection, opened when first needed.
 *
 * <p>A request is sent at most once, and only while it is younger than the ask-timeout. Only two
 * refusals lead to sending it again, because a server that says so has changed nothing: the script
 * is unknown, or another member of the cluster serves the key. A connection on which an answer is
 * overdue, or that failed in any other way than by a server's refusal, is closed; the next request
 * opens a new one.
 *
 * <p>All methods run on one thread, the store's own, which never waits for the network: the worker
 * does, and is freed by cutting its wire.
 */
final class RedisClient {
  private final RedisStorePlan plan;
  private final ElectionConfig config;
  private final ServerSelector servers;
  private final RedisIoExecutor worker;
  private final ScheduledExecutorService thread;
  private final long connectNanos;
  private final RedisErrorMessages errors;
  private final RedisServerWarnings warnings;
  private final Runnable onLoss;
  private final StoreClockCheck serverClock;
  private @Nullable CompletableFuture<RedisConnection> connection;
  private RespSocket socket = new RespSocket();

  RedisClient(
      RedisStorePlan plan,
      ElectionConfig config,
      ServerSelector dialer,
      RedisIoExecutor worker,
      ScheduledExecutorService thread,
      long connectNanos,
      Runnable onLoss) {
    this.plan = plan;
    this.config = config;
    this.servers = dialer;
    this.worker = worker;
    this.thread = thread;
    this.connectNanos = connectNanos;
    this.onLoss = onLoss;
    serverClock = new StoreClockCheck(config.timing().drift());
    errors = new RedisErrorMessages(plan.access(), plan.keys());
    warnings = new RedisServerWarnings(plan);
  }

  /** Opens the connection ahead of the first request. */
  void connect() {
    if (connection == null) {
      var unused = openConnection();
    }
  }

  void run(PendingRedisRequest errand) {
    var unused = thread.schedule(() -> onTimeout(errand), errand.leftNanos(), TimeUnit.NANOSECONDS);
    sendWhenConnected(errand);
  }

  private void sendWhenConnected(PendingRedisRequest errand) {
    CompletableFuture<RedisConnection> current = connection == null ? openConnection() : connection;
    var unused =
        current.whenCompleteAsync(
            (open, failure) -> {
              if (failure != null) {
                errand.unknown(errors.message(failure));
              } else if (!errand.isOver()) {
                send(open, errand);
              }
            },
            thread);
  }

  /** Publishes a hint, at most once and not later than that. Nobody waits for it. */
  void publishHint(String message, long deadlineNanos) {
    CompletableFuture<RedisConnection> current = connection == null ? openConnection() : connection;
    var unused =
        current.thenAcceptAsync(
            open -> {
              if (open.isOpen()) {
                publish(open, message, deadlineNanos);
              } else {
                drop(open);
                publishHint(message, deadlineNanos);
              }
            },
            thread);
  }

  private void publish(RedisConnection open, String message, long deadlineNanos) {
    CompletableFuture<String> told =
        open.publish(message, deadlineNanos)
            .whenCompleteAsync(
                (done, failure) -> {
                  if (failure instanceof NotSentException) {
                    drop(open);
                    publishHint(message, deadlineNanos);
                  }
                },
                thread)
            .toCompletableFuture();
    var unused =
        thread.schedule(
            () -> {
              if (!told.isDone()) {
                drop(open); // As after any answer that is overdue.
              }
            },
            deadlineNanos - System.nanoTime(),
            TimeUnit.NANOSECONDS);
  }

  private CompletableFuture<RedisConnection> openConnection() {
    CompletableFuture<RedisConnection> opening = new CompletableFuture<>();
    connection = opening;
    RespSocket dialled = new RespSocket();
    socket = dialled;
    var unused =
        thread.schedule(
            () -> fail(opening, dialled, new TimeoutException("no connection in time")),
            connectNanos,
            TimeUnit.NANOSECONDS);
    PrimaryConnector route = servers.route();
    worker
        .run(
            () -> {
              route.open(dialled);
              return new RedisConnection(dialled, worker, plan.keys());
            })
        .whenCompleteAsync(
            (opened, failure) -> {
              if (failure != null) {
                fail(opening, dialled, failure);
              } else if (opening.complete(opened)) {
                thread.execute(() -> warnings.onOpened(opened)); // After whoever waited for it.
              }
            },
            thread);
    return opening;
  }

  private void fail(
      CompletableFuture<RedisConnection> opening, RespSocket dialled, Throwable failure) {
    if (opening.completeExceptionally(failure)) {
      dialled.cut();
      if (connection == opening) {
        connection = null;
        servers.forgetTarget();
      }
    }
  }

  private void send(RedisConnection open, PendingRedisRequest errand) {
    if (!open.isOpen()) {
      drop(open);
      sendWhenConnected(errand); // It was not sent yet.
      return;
    }
    String[] arguments;
    try {
      arguments =
          LeaseScript.arguments(
              errand.request,
              config.identity(),
              config.timing().longestLease(),
              plan.keys().channel(),
              open);
    } catch (IllegalArgumentException e) {
      errand.unknown(String.valueOf(e.getMessage()));
      return;
    }
    errand.sentOn = open;
    errand.sentNanos = System.nanoTime();
    open.evalSha(arguments, errand.deadlineNanos)
        .whenCompleteAsync(
            (reply, failure) -> {
              if (failure instanceof NotSentException && !errand.isOver()) {
                drop(open);
                sendWhenConnected(errand);
              } else if (RedisErrorMessages.isUnknownScript(failure) && !errand.isOver()) {
                receive(open, errand, open.eval(arguments, errand.deadlineNanos));
              } else {
                onReply(open, errand, reply, failure);
              }
            },
            thread);
  }

  private void receive(
      RedisConnection open, PendingRedisRequest errand, CompletionStage<List<?>> stage) {
    stage.whenCompleteAsync((reply, failure) -> onReply(open, errand, reply, failure), thread);
  }

  private void onReply(
      RedisConnection open,
      PendingRedisRequest errand,
      @Nullable List<?> reply,
      @Nullable Throwable failure) {
    if (failure != null || reply == null) {
      onFailure(open, errand, failure == null ? new TimeoutException("empty reply") : failure);
      return;
    }
    if (!LeaseScript.hasServerInfo(reply)) {
      warnings.onInfoUnavailable();
    }
    LeaseResponse answer =
        LeaseScript.answer(reply, serverClock, errand.sentNanos, System.nanoTime());
    if (answer instanceof LeaseResponse.Granted && plan.replicas() > 0) {
      awaitReplicas(open, errand, answer);
    } else {
      errand.reply.complete(answer);
    }
  }

  /** A grant that a failover could undo does not count. */
  private void awaitReplicas(
      RedisConnection open, PendingRedisRequest errand, LeaseResponse granted) {
    // Shorter than what is left, so that the answer comes before the connection is given up.
    long millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(errand.leftNanos()) * 4 / 5);
    open.waitForReplicas(plan.replicas(), millis, errand.deadlineNanos)
        .whenCompleteAsync(
            (confirmed, failure) -> {
              if (failure != null) {
                onFailure(open, errand, failure);
              } else if (confirmed < plan.replicas()) {
                errand.unknown(
                    errors.at(
                        confirmed
                            + " replicas have confirmed the grant; redis.replicas demands "
                            + plan.replicas()));
              } else {
                errand.reply.complete(granted);
              }
            },
            thread);
  }

  private void onFailure(RedisConnection open, PendingRedisRequest errand, Throwable failure) {
    if (errand.reply.isDone()) {
      return; // Overdue: that was the end of its line too.
    }
    Host member = RedisErrorMessages.movedTo(failure, servers.target().name());
    boolean cluster = plan.access().address().topology() == Topology.CLUSTER;
    if (RedisErrorMessages.needsReconnect(failure)) {
      drop(open);
    }
    if (cluster && member != null && errand.mayBeRedirected()) {
      servers.redirect(member);
      sendWhenConnected(errand);
      return;
    }
    if (RedisErrorMessages.needsReconnect(failure)) {
      servers.forgetTarget();
    }
    errand.unknown(errors.message(failure));
  }

  private void onTimeout(PendingRedisRequest errand) {
    if (errand.reply.isDone()) {
      return;
    }
    errand.unknown(
        errors.at("no answer within " + config.timing().askTimeout().toMillis() + " ms"));
    if (errand.sentOn != null) {
      drop(errand.sentOn); // A connection may be dead without telling.
      servers.forgetTarget();
    }
  }

  private void drop(RedisConnection lost) {
    if (connection != null && connection.getNow(null) == lost) {
      connection = null;
      onLoss.run();
    }
    lost.close();
  }

  /** Ends the connection, or the attempt to open one. */
  void close() {
    socket.cut();
  }

  /** A request on its way: asked once, answered once, worth sending only for so long. */
  static final class PendingRedisRequest {
    private static final int MAX_REDIRECTS = 3;

    final LeaseRequest request;
    final CompletableFuture<LeaseResponse> reply = new CompletableFuture<>();
    final long deadlineNanos;
    @Nullable RedisConnection sentOn;

    /** Before it last left, on this node's monotonic clock. */
    long sentNanos;

    private int redirects;

    PendingRedisRequest(LeaseRequest request, long deadlineNanos) {
      this.request = request;
      this.deadlineNanos = deadlineNanos;
    }

    long leftNanos() {
      return deadlineNanos - System.nanoTime();
    }

    boolean isOver() {
      return reply.isDone() || leftNanos() <= 0;
    }

    /** Whether it may go to yet another server of the cluster. */
    boolean mayBeRedirected() {
      redirects++;
      return redirects <= MAX_REDIRECTS && !isOver();
    }

    void unknown(String why) {
      reply.complete(new LeaseResponse.Unknown(why));
    }
  }
}
