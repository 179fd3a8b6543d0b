package io.portcullis.backend.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Hears of hand-overs by LISTEN, on a thread and a connection of its own. These are hints only:
 * whatever is missed is found by asking, so a connection that breaks is replaced without hurry, and
 * after each one something may have been missed.
 */
final class Ears {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
  private static final int DOUBLINGS = 7;

  private final PostgresPlan plan;
  private final String channel;
  private final String self;
  private final Dialer dialer;
  private final Runnable wake;
  private final CountDownLatch over = new CountDownLatch(1);
  private volatile @Nullable Connection current;

  Ears(PostgresPlan plan, String channel, String self, Dialer dialer, Runnable wake) {
    this.plan = plan;
    this.channel = channel;
    this.self = self;
    this.dialer = dialer;
    this.wake = wake;
  }

  void start(ThreadFactory threads) {
    threads.newThread(this::run).start();
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
      wake.run();
      while (!isOver()) {
        hear(connection, statement);
      }
    } catch (SQLException e) {
      return stood; // Lost, or ended by us.
    } finally {
      current = null;
    }
    return stood;
  }

  private void hear(Connection connection, Statement statement) throws SQLException {
    int patience = (int) plan.timing().lease().multipliedBy(2).toMillis();
    PGNotification[] heard = connection.unwrap(PGConnection.class).getNotifications(patience);
    if (heard == null || heard.length == 0) {
      statement.execute("SELECT 1"); // Silence may be a line that is dead without telling.
      return;
    }
    for (PGNotification news : heard) {
      if (News.concerns(plan, self, news.getParameter())) {
        wake.run();
        return;
      }
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
}
