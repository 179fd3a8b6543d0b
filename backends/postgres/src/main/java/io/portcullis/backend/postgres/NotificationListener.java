package io.portcullis.backend.postgres;

import io.portcullis.backend.postgres.PostgresStorePlan.AdvisoryLockKey;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.PriorityRequest;
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
 * Hears of hand-overs and wishes by LISTEN, and tells this node's own, on a thread and a connection
 * of its own. These are hints only: whatever is missed is found by asking, so a connection that
 * breaks is replaced without hurry, and after each one something may have been missed.
 */
final class NotificationListener {
  private static final Duration INITIAL_BACKOFF = Duration.ofMillis(250);
  private static final int MAX_BACKOFF_DOUBLINGS = 7;

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
      ConnectionFactory dialer,
      Runnable wake,
      Consumer<PriorityRequest> heard) {
    this.plan = plan;
    this.channel = channel;
    this.self = config.identity();
    this.connections = dialer;
    this.wake = wake;
    this.priorityRequestListener = heard;
    maxSilence = plan.timing().lease().multipliedBy(2);
    pollTimeout =
        plan.carriesPriorityRequestOf(config.priority())
            ? plan.timing().lease().dividedBy(4)
            : maxSilence;
  }

  void start(String threadName) {
    DaemonThreads.unstarted(threadName, this::run).start();
  }

  /** Tells it when it is this connection's turn to speak; not at all if there is none then. */
  void enqueue(PriorityRequest wish) {
    pendingRequest.set(wish);
  }

  private void run() {
    int failures = 0;
    try {
      while (!isOver()) {
        failures = listen() ? 0 : failures + 1;
        long pause = INITIAL_BACKOFF.toMillis() << Math.min(failures, MAX_BACKOFF_DOUBLINGS);
        closed.await(pause, TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isOver() {
    return closed.getCount() == 0;
  }

  /** Listens until the connection breaks; whether it ever stood. */
  private boolean listen() {
    boolean stood = false;
    try (Connection connection = connections.openForNotifications();
        Statement statement = connection.createStatement()) {
      current = connection;
      statement.execute("LISTEN \"" + channel + "\"");
      stood = true;
      lastReceivedNanos = System.nanoTime();
      pendingRequest.set(null);
      wake.run();
      while (!isOver()) {
        sendPending(connection);
        poll(connection, statement);
      }
    } catch (SQLException e) {
      return stood; // Lost, or ended by us.
    } finally {
      current = null;
    }
    return stood;
  }

  /** A wish need outlive nothing, so its commit waits for no disk and no replica. */
  private void sendPending(Connection connection) throws SQLException {
    PriorityRequest wish = pendingRequest.getAndSet(null);
    if (wish != null) {
      String sql = "SELECT set_config('synchronous_commit', 'off', true), pg_notify(?, ?)";
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        statement.setString(1, channel);
        statement.setString(2, NotifyPayload.text(plan, wish));
        statement.execute();
      }
    }
  }

  private void poll(Connection connection, Statement statement) throws SQLException {
    PGNotification[] news =
        connection.unwrap(PGConnection.class).getNotifications((int) pollTimeout.toMillis());
    if (news != null && news.length > 0) {
      lastReceivedNanos = System.nanoTime();
      dispatch(news);
    } else if (System.nanoTime() - lastReceivedNanos >= maxSilence.toNanos()) {
      statement.execute("SELECT 1"); // Silence may be a line that is dead without telling.
      lastReceivedNanos = System.nanoTime();
    }
  }

  private void dispatch(PGNotification[] news) {
    boolean concerned = false;
    for (PGNotification each : news) {
      PriorityRequest wish = NotifyPayload.priorityRequestIn(plan, each.getParameter());
      if (wish != null) {
        priorityRequestListener.accept(wish);
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
        return; // It is gone either way.
      }
    }
  }

  /**
   * What is told by NOTIFY: in which election a lease was taken or released, and by whom; for whom
   * it was released; who would lead. The first two are short, since a hint that is too long would
   * keep a lease from being taken. A node that does not know a form does not heed it.
   */
  static final class NotifyPayload {
    private static final String SUCCESSOR = "heir ";
    private static final String PRIORITY_REQUEST = "wish ";

    private NotifyPayload() {}

    static String text(PostgresStorePlan plan, String node, long epoch) {
      return plan.lockKey() + " " + epoch + " " + AdvisoryLockKey.of(node);
    }

    static String text(PostgresStorePlan plan, LeaseRequest.Release release) {
      String heir = release.successor();
      return heir == null
          ? text(plan, release.node(), release.epoch())
          : SUCCESSOR + plan.lockKey() + " " + AdvisoryLockKey.of(heir);
    }

    static String text(PostgresStorePlan plan, PriorityRequest wish) {
      return PRIORITY_REQUEST + plan.lockKey() + " " + wish.text();
    }

    /**
     * True if {@code text} tells of something in this election that {@code self} did not do: others
     * leave a release to its heir, and find it when they look.
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

    /** The wish in it; null if it is something else, or of another election. */
    static @Nullable PriorityRequest priorityRequestIn(PostgresStorePlan plan, String text) {
      String start = PRIORITY_REQUEST + plan.lockKey() + " ";
      return text.startsWith(start) ? PriorityRequest.read(text.substring(start.length())) : null;
    }
  }
}
