package io.portcullis.backend.redis;

import io.portcullis.backend.redis.RedisAddress.Host;
import io.portcullis.backend.redis.RedisAddress.Topology;
import io.portcullis.backend.redis.RedisConnection.NotSentException;
import io.portcullis.backend.redis.ServerStartDelay.ServerAge;
import io.portcullis.election.backend.PendingRequest;
import io.portcullis.election.config.ElectionConfig;
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
 * Sends lease requests to Redis over at most one connection, which the first request opens.
 *
 * <p>A request is sent at most once, and only before its ask timeout. Only two error replies lead
 * to sending it again, because the server has then changed nothing: it does not have the script, or
 * another member of the cluster serves the key. A connection is closed when a reply is overdue or
 * when it fails in any way other than an error reply; the next request opens a new one. A request
 * whose connection turns out to be closed before it is sent opens another, a limited number of
 * times, because a server or proxy may close connections as fast as they are opened.
 *
 * <p>All methods run on one thread, the store's own, which never waits for the network. It also
 * keeps the deadlines, so they hold while the event loop is blocked.
 */
final class RequestSender {
  /** Connections that may close before a request or a hint was sent on them. */
  static final int MAX_CLOSED_CONNECTIONS = 3;

  private final RedisStorePlan plan;
  private final ElectionConfig config;
  private final ServerSelector servers;
  private final ScheduledExecutorService thread;
  private final RedisErrorMessages errors;
  private final ServerStartDelay startDelay;
  private final RedisServerWarnings warnings;
  private final Runnable onLoss;
  private final StoreClockCheck serverClock;
  private @Nullable CompletableFuture<RedisConnection> connection;
  private boolean closed;

  /**
   * @param onLoss called when a connection is lost
   */
  RequestSender(
      RedisStorePlan plan,
      ElectionConfig config,
      ServerSelector servers,
      ScheduledExecutorService thread,
      RedisErrorMessages errors,
      ServerStartDelay startDelay,
      Runnable onLoss) {
    this.plan = plan;
    this.config = config;
    this.servers = servers;
    this.thread = thread;
    this.errors = errors;
    this.startDelay = startDelay;
    this.onLoss = onLoss;
    serverClock = new StoreClockCheck(config.timing().drift());
    warnings = new RedisServerWarnings(plan);
  }

  /** Opens the connection before the first request. */
  void connect() {
    if (connection == null) {
      var unused = openConnection();
    }
  }

  void run(PendingRequest pending) {
    RedisRequest request = new RedisRequest(pending);
    var unused =
        thread.schedule(
            () -> onTimeout(request), request.pending.remainingNanos(), TimeUnit.NANOSECONDS);
    sendWhenConnected(request);
  }

  private void sendWhenConnected(RedisRequest request) {
    CompletableFuture<RedisConnection> current = connection == null ? openConnection() : connection;
    var unused =
        current.whenCompleteAsync(
            (open, failure) -> {
              if (failure != null) {
                request.pending.unknown(errors.message(failure));
              } else if (!request.pending.isOver()) {
                send(open, request);
              }
            },
            thread);
  }

  /** Publishes a hint at most once and before the deadline. Its result is not reported. */
  void publishHint(String message, long deadlineNanos) {
    publishHint(message, deadlineNanos, MAX_CLOSED_CONNECTIONS);
  }

  private void publishHint(String message, long deadlineNanos, int connections) {
    if (connections == 0 || deadlineNanos - System.nanoTime() <= 0) {
      return;
    }
    CompletableFuture<RedisConnection> current = connection == null ? openConnection() : connection;
    var unused =
        current.thenAcceptAsync(
            open -> {
              if (open.isOpen()) {
                publish(open, message, deadlineNanos, connections);
              } else {
                drop(open);
                publishHint(message, deadlineNanos, connections - 1);
              }
            },
            thread);
  }

  private void publish(RedisConnection open, String message, long deadlineNanos, int connections) {
    CompletableFuture<String> published =
        open.publish(message, deadlineNanos)
            .whenCompleteAsync(
                (done, failure) -> {
                  if (failure instanceof NotSentException) {
                    drop(open);
                    publishHint(message, deadlineNanos, connections - 1);
                  }
                },
                thread)
            .toCompletableFuture();
    var unused =
        thread.schedule(
            () -> {
              if (!published.isDone()) {
                drop(open); // It may be half open.
              }
            },
            deadlineNanos - System.nanoTime(),
            TimeUnit.NANOSECONDS);
  }

  private CompletableFuture<RedisConnection> openConnection() {
    CompletableFuture<RedisConnection> opening = new CompletableFuture<>();
    connection = opening;
    var unused =
        servers
            .next()
            .connect()
            .whenCompleteAsync(
                (opened, failure) -> {
                  if (failure == null) {
                    onOpened(opening, new RedisConnection(opened, plan.keys()));
                  } else {
                    onConnectFailure(opening, failure);
                  }
                },
                thread);
    return opening;
  }

  private void onOpened(CompletableFuture<RedisConnection> opening, RedisConnection opened) {
    if (closed) {
      opened.close();
      opening.completeExceptionally(new NotSentException());
      return;
    }
    opening.complete(opened);
    thread.execute(() -> warnings.onOpened(opened)); // After the requests that wait for it.
  }

  private void onConnectFailure(CompletableFuture<RedisConnection> opening, Throwable failure) {
    if (connection == opening) {
      connection = null;
      servers.forgetTarget();
    }
    opening.completeExceptionally(failure);
  }

  private void send(RedisConnection open, RedisRequest request) {
    if (!open.isOpen()) {
      onNotSent(open, request);
      return;
    }
    String[] arguments;
    try {
      arguments =
          LeaseScript.arguments(
              request.pending.request(),
              config.identity(),
              config.timing().longestLease(),
              plan,
              open);
    } catch (IllegalArgumentException e) {
      request.pending.unknown(String.valueOf(e.getMessage()));
      return;
    }
    request.sentOn = open;
    request.sentNanos = System.nanoTime();
    open.evalSha(arguments, request.pending.deadlineNanos())
        .whenCompleteAsync(
            (reply, failure) -> {
              if (failure instanceof NotSentException && !request.pending.isOver()) {
                onNotSent(open, request);
              } else if (RedisErrorMessages.isUnknownScript(failure) && !request.pending.isOver()) {
                awaitReply(open, request, open.eval(arguments, request.pending.deadlineNanos()));
              } else {
                onReply(open, request, reply, failure);
              }
            },
            thread);
  }

  private void onNotSent(RedisConnection closedByServer, RedisRequest request) {
    drop(closedByServer);
    request.closedConnections++;
    if (request.closedConnections < MAX_CLOSED_CONNECTIONS) {
      sendWhenConnected(request);
      return;
    }
    servers.forgetTarget();
    request.pending.unknown(
        errors.at(
            "it has closed "
                + request.closedConnections
                + " connections before the request was sent"));
  }

  private void awaitReply(
      RedisConnection open, RedisRequest request, CompletionStage<List<?>> stage) {
    stage.whenCompleteAsync((reply, failure) -> onReply(open, request, reply, failure), thread);
  }

  private void onReply(
      RedisConnection open,
      RedisRequest request,
      @Nullable List<?> reply,
      @Nullable Throwable failure) {
    if (failure != null || reply == null) {
      onFailure(open, request, failure == null ? new TimeoutException("empty reply") : failure);
      return;
    }
    if (!LeaseScript.hasServerInfo(reply)) {
      warnings.onInfoUnavailable();
    }
    long arrivedNanos = System.nanoTime();
    ServerAge age = LeaseScript.serverAge(reply);
    if (age != null) {
      startDelay.onReply(age, arrivedNanos);
    }
    LeaseResponse response =
        LeaseScript.response(reply, serverClock, request.sentNanos, arrivedNanos);
    if (response instanceof LeaseResponse.Granted && plan.replicas() > 0) {
      awaitReplicas(open, request, response);
    } else {
      request.pending.answer(response);
    }
  }

  /** Waits for replicas, because a failover could undo a grant that they do not have. */
  private void awaitReplicas(RedisConnection open, RedisRequest request, LeaseResponse granted) {
    // Less than the time left, so that the reply arrives before the connection is closed.
    long millis =
        Math.max(1, TimeUnit.NANOSECONDS.toMillis(request.pending.remainingNanos()) * 4 / 5);
    open.waitForReplicas(plan.replicas(), millis, request.pending.deadlineNanos())
        .whenCompleteAsync(
            (confirmed, failure) -> {
              if (failure != null) {
                onFailure(open, request, failure);
              } else if (confirmed < plan.replicas()) {
                request.pending.unknown(
                    errors.at(
                        confirmed
                            + " replicas have confirmed the grant; redis.replicas requires "
                            + plan.replicas()));
              } else {
                request.pending.answer(granted);
              }
            },
            thread);
  }

  private void onFailure(RedisConnection open, RedisRequest request, Throwable failure) {
    if (request.pending.isAnswered()) {
      return; // It timed out, which closed its connection.
    }
    Host member = RedisErrorMessages.movedTo(failure, servers.target().name());
    boolean cluster = plan.access().address().topology() == Topology.CLUSTER;
    if (RedisErrorMessages.needsReconnect(failure)) {
      drop(open);
    }
    if (cluster && member != null && request.mayBeRedirected()) {
      servers.redirect(member);
      sendWhenConnected(request);
      return;
    }
    if (RedisErrorMessages.needsReconnect(failure)) {
      servers.forgetTarget();
    }
    request.pending.unknown(errors.message(failure));
  }

  private void onTimeout(RedisRequest request) {
    if (request.pending.isAnswered()) {
      return;
    }
    request.pending.unknown(
        errors.at("no response within " + config.timing().askTimeout().toMillis() + " ms"));
    if (request.sentOn != null) {
      drop(request.sentOn); // It may be half open.
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

  /** Opens no further connection. Closing the connector closes the open one. */
  void close() {
    closed = true;
  }

  /** A request with its connections and redirects so far. It is sent only before its deadline. */
  private static final class RedisRequest {
    private static final int MAX_REDIRECTS = 3;

    final PendingRequest pending;
    @Nullable RedisConnection sentOn;

    /** A moment before it was last sent, by this node's monotonic clock. */
    long sentNanos;

    /** Connections that were closed before the request was sent. */
    int closedConnections;

    private int redirects;

    RedisRequest(PendingRequest pending) {
      this.pending = pending;
    }

    /** Counts one more redirect; false if that is too many. */
    boolean mayBeRedirected() {
      redirects++;
      return redirects <= MAX_REDIRECTS && !pending.isOver();
    }
  }
}
