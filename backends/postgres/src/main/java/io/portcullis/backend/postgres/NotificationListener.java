package io.portcullis.backend.postgres;

import io.portcullis.backend.postgres.PostgresStorePlan.AdvisoryLockKey;
import io.portcullis.election.backend.RetryBackoff;
import io.portcullis.election.config.Backoff;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.StoreFeatures.PriorityRequest;
import io.portcullis.election.threads.DaemonThreads;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Receives notifications of handovers and priority requests with LISTEN, and sends this node's
 * priority requests. Uses its own thread and connection. Notifications are hints only: missed
 * changes are found by polling, so a failed connection is replaced with backoff, and each new
 * connection triggers a read.
 */
final class NotificationListener {
  private static final Backoff RECONNECT_BACKOFF =
      new Backoff(Duration.ofMillis(250), Duration.ofSeconds(32), 0.5);

  private final PostgresStorePlan plan;
  private final String channel;
  private final String self;
  private final ConnectionFactory connections;
  private final Runnable wake;
  private final Consumer<PriorityRequest> priorityRequestListener;
  private final Duration maxSilence;
  private final Duration pollTimeout;
  private final AtomicReference<@Nullable PriorityRequest> pendingRequest = new AtomicReference<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile @Nullable Connection current;
  private long lastReceivedNanos;

  NotificationListener(
      PostgresStorePlan plan,
      String channel,
      ElectionConfig config,
      ConnectionFactory connections,
      Runnable wake,
      Consumer<PriorityRequest> priorityRequestListener) {
    this.plan = plan;
    this.channel = channel;
    this.self = config.identity();
    this.connections = connections;
    this.wake = wake;
    this.priorityRequestListener = priorityRequestListener;
    maxSilence = plan.timing().lease().multipliedBy(2);
    pollTimeout =
        plan.carriesPriorityRequestOf(config.priority())
            ? plan.timing().lease().dividedBy(4)
            : maxSilence;
  }

  void start(String threadName) {
    DaemonThreads.unstarted(threadName, this::run).start();
  }

  /** Queues a priority request for the next poll; it is dropped if there is no connection then. */
  void enqueue(PriorityRequest request) {
    pendingRequest.set(request);
  }

  private void run() {
    RetryBackoff backoff = new RetryBackoff(RECONNECT_BACKOFF);
    try {
      while (!isOver()) {
        if (listen()) {
          backoff.reset();
        }
        closed.await(backoff.nextPauseNanos(), TimeUnit.NANOSECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isOver() {
    return closed.getCount() == 0;
  }

  /** Listens until the connection fails; returns whether it was ever established. */
  private boolean listen() {
    boolean established = false;
    try (Connection connection = connections.openForNotifications();
        Statement statement = connection.createStatement()) {
      current = connection;
      statement.execute("LISTEN \"" + channel + "\"");
      established = true;
      lastReceivedNanos = System.nanoTime();
      pendingRequest.set(null);
      wake.run();
      while (!isOver()) {
        sendPending(connection);
        poll(connection, statement);
      }
    } catch (SQLException e) {
      return established; // The connection failed or was closed by this node.
    } finally {
      current = null;
    }
    return established;
  }

  /** Sends the pending request. It need not be durable, so the commit does not wait for a flush. */
  private void sendPending(Connection connection) throws SQLException {
    PriorityRequest request = pendingRequest.getAndSet(null);
    if (request != null) {
      String sql = "SELECT set_config('synchronous_commit', 'off', true), pg_notify(?, ?)";
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        statement.setString(1, channel);
        statement.setString(2, NotifyPayload.text(plan, request));
        statement.execute();
      }
    }
  }

  private void poll(Connection connection, Statement statement) throws SQLException {
    PGNotification[] received =
        connection.unwrap(PGConnection.class).getNotifications((int) pollTimeout.toMillis());
    if (received != null && received.length > 0) {
      lastReceivedNanos = System.nanoTime();
      dispatch(received);
    } else if (System.nanoTime() - lastReceivedNanos >= maxSilence.toNanos()) {
      statement.execute("SELECT 1"); // Detects a half-open connection.
      lastReceivedNanos = System.nanoTime();
    }
  }

  private void dispatch(PGNotification[] received) {
    boolean concerned = false;
    for (PGNotification each : received) {
      PriorityRequest request = NotifyPayload.priorityRequestIn(plan, each.getParameter());
      if (request != null) {
        priorityRequestListener.accept(request);
      }
      concerned |= NotifyPayload.concerns(plan, self, each.getParameter());
    }
    if (concerned) {
      wake.run();
    }
  }

  void close() {
    closed.countDown();
    Connection connection = current;
    if (connection != null) {
      try {
        connection.abort(Runnable::run);
      } catch (SQLException e) {
        return; // The connection is unusable either way.
      }
    }
  }

  /**
   * Payloads of NOTIFY: a lease was taken or released in an election, with the node; a lease was
   * released for a successor; a priority request. The first two are short, since a payload that is
   * too long would make the statement that takes a lease fail. Unknown payloads are ignored.
   */
  static final class NotifyPayload {
    private static final String SUCCESSOR = "successor ";
    private static final String PRIORITY_REQUEST = "priority-request ";

    private NotifyPayload() {}

    static String text(PostgresStorePlan plan, String node, long epoch) {
      return plan.lockKey() + " " + epoch + " " + AdvisoryLockKey.of(node);
    }

    static String text(PostgresStorePlan plan, LeaseRequest.Release release) {
      String successor = release.successor();
      return successor == null
          ? text(plan, release.node(), release.epoch())
          : SUCCESSOR + plan.lockKey() + " " + AdvisoryLockKey.of(successor);
    }

    static String text(PostgresStorePlan plan, PriorityRequest request) {
      return PRIORITY_REQUEST + plan.lockKey() + " " + request.text();
    }

    /**
     * Whether {@code text} is about a change in this election that was not made by {@code self}. A
     * release for a successor concerns only the successor; other nodes find it by polling.
     */
    static boolean concerns(PostgresStorePlan plan, String self, String text) {
      if (text.startsWith(SUCCESSOR)) {
        return text.equals(SUCCESSOR + plan.lockKey() + " " + AdvisoryLockKey.of(self));
      }
      String[] words = text.split(" ", 3);
      return words.length == 3
          && words[0].equals(Long.toString(plan.lockKey()))
          && !words[2].equals(Long.toString(AdvisoryLockKey.of(self)));
    }

    /** Returns the priority request, null if it is another payload or of another election. */
    static @Nullable PriorityRequest priorityRequestIn(PostgresStorePlan plan, String text) {
      String start = PRIORITY_REQUEST + plan.lockKey() + " ";
      return text.startsWith(start) ? PriorityRequest.read(text.substring(start.length())) : null;
    }
  }
}
