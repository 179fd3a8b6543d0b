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
  private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
  private static final int DOUBLINGS = 7;

  private final PostgresStorePlan plan;
  private final String channel;
  private final String self;
  private final ConnectionFactory dialer;
  private final Runnable wake;
  private final Consumer<PriorityRequest> heard;
  private final Duration silence;
  private final Duration turn;
  private final AtomicReference<@Nullable PriorityRequest> untold = new AtomicReference<>();
  private final CountDownLatch over = new CountDownLatch(1);
  private volatile @Nullable Connection current;
  private long lastSignNanos;

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
    this.dialer = dialer;
    this.wake = wake;
    this.heard = heard;
    silence = plan.timing().lease().multipliedBy(2);
    turn =
        plan.carriesPriorityRequestOf(config.priority())
            ? plan.timing().lease().dividedBy(4)
            : silence;
  }

  void start(String threadName) {
    DaemonThreads.unstarted(threadName, this::run).start();
  }

  /** Tells it when it is this connection's turn to speak; not at all if there is none then. */
  void tell(PriorityRequest wish) {
    untold.set(wish);
  }

  private void run() {
    int failures = 0;
    try {
      while (!isOver()) {
        failures = listen() ? 0 : failures + 1;
        long pause = FIRST_PAUSE.toMillis() << Math.min(failures, DOUBLINGS);
        over.await(pause, TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isOver() {
    return over.getCount() == 0;
  }

  /** Listens until the connection breaks; whether it ever stood. */
  private boolean listen() {
    boolean stood = false;
    try (Connection connection = dialer.dialForNews();
        Statement statement = connection.createStatement()) {
      current = connection;
      statement.execute("LISTEN \"" + channel + "\"");
      stood = true;
      lastSignNanos = System.nanoTime();
      untold.set(null);
      wake.run();
      while (!isOver()) {
        speak(connection);
        hear(connection, statement);
      }
    } catch (SQLException e) {
      return stood; // Lost, or ended by us.
    } finally {
      current = null;
    }
    return stood;
  }

  /** A wish need outlive nothing, so its commit waits for no disk and no replica. */
  private void speak(Connection connection) throws SQLException {
    PriorityRequest wish = untold.getAndSet(null);
    if (wish != null) {
      String sql = "SELECT set_config('synchronous_commit', 'off', true), pg_notify(?, ?)";
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        statement.setString(1, channel);
        statement.setString(2, NotifyPayload.text(plan, wish));
        statement.execute();
      }
    }
  }

  private void hear(Connection connection, Statement statement) throws SQLException {
    PGNotification[] news =
        connection.unwrap(PGConnection.class).getNotifications((int) turn.toMillis());
    if (news != null && news.length > 0) {
      lastSignNanos = System.nanoTime();
      take(news);
    } else if (System.nanoTime() - lastSignNanos >= silence.toNanos()) {
      statement.execute("SELECT 1"); // Silence may be a line that is dead without telling.
      lastSignNanos = System.nanoTime();
    }
  }

  private void take(PGNotification[] news) {
    boolean concerned = false;
    for (PGNotification each : news) {
      PriorityRequest wish = NotifyPayload.wishIn(plan, each.getParameter());
      if (wish != null) {
        heard.accept(wish);
      }
      concerned |= NotifyPayload.concerns(plan, self, each.getParameter());
    }
    if (concerned) {
      wake.run();
    }
  }

  void close() {
    over.countDown();
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
    private static final String HEIR = "heir ";
    private static final String WISH = "wish ";

    private NotifyPayload() {}

    static String text(PostgresStorePlan plan, String node, long epoch) {
      return plan.lockKey() + " " + epoch + " " + AdvisoryLockKey.of(node);
    }

    static String text(PostgresStorePlan plan, LeaseRequest.Release release) {
      String heir = release.successor();
      return heir == null
          ? text(plan, release.node(), release.epoch())
          : HEIR + plan.lockKey() + " " + AdvisoryLockKey.of(heir);
    }

    static String text(PostgresStorePlan plan, PriorityRequest wish) {
      return WISH + plan.lockKey() + " " + wish.text();
    }

    /**
     * True if {@code text} tells of something in this election that {@code self} did not do: others
     * leave a release to its heir, and find it when they look.
     */
    static boolean concerns(PostgresStorePlan plan, String self, String text) {
      if (text.startsWith(HEIR)) {
        return text.equals(HEIR + plan.lockKey() + " " + AdvisoryLockKey.of(self));
      }
      String[] words = text.split(" ", 3);
      return words.length == 3
          && words[0].equals(Long.toString(plan.lockKey()))
          && !words[2].equals(Long.toString(AdvisoryLockKey.of(self)));
    }

    /** The wish in it; null if it is something else, or of another election. */
    static @Nullable PriorityRequest wishIn(PostgresStorePlan plan, String text) {
      String start = WISH + plan.lockKey() + " ";
      return text.startsWith(start) ? PriorityRequest.read(text.substring(start.length())) : null;
    }
  }
}
