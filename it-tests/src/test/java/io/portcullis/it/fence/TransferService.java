package io.portcullis.it.fence;

import io.portcullis.gate.Leadership;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A service that transfers money between accounts, each in one long transaction. It records in each
 * transfer the epoch under which it believes to act, for later checks.
 *
 * <p>Each worker has accounts of its own, and writes balances that it computes from what it read.
 * So money is lost or created as soon as two nodes write, or half a transfer is kept.
 */
public final class TransferService {
  static final int ACCOUNTS = 8;
  static final int WRITER_THREADS = 2;

  private static final String ELECTION = "writer";
  private static final int MAX_PAUSE_MILLIS = 25;

  private final String url;
  private final String user;
  private final String name;
  private volatile boolean asleep;

  private TransferService(String url, String user, String name) {
    this.url = url;
    this.user = user;
    this.name = name;
  }

  /** Arguments: URL, user, name, and whether a thread waits inside a call. */
  public static void main(String[] args) {
    TransferService bank = new TransferService(args[0], args[1], args[2]);
    for (int i = 0; i < WRITER_THREADS; i++) {
      int worker = i;
      new Thread(() -> bank.work(worker), "worker-" + worker).start();
    }
    if (Boolean.parseBoolean(args[3])) {
      new Thread(bank::sleep, "sleeper").start();
    }
    System.out.println("open");
  }

  private void work(int worker) {
    while (true) {
      try (Connection connection = connect()) {
        // A frozen node may have locked accounts, and only a fence ends its transaction.
        set(connection, "lock_timeout = '1s'");
        connection.setAutoCommit(false);
        while (connection.isValid(0)) {
          workOn(connection, worker);
        }
      } catch (SQLException e) {
        randomPause();
      }
    }
  }

  private void workOn(Connection connection, int worker) throws SQLException {
    try {
      transfer(connection, account(worker), account(worker));
    } catch (SQLException | RuntimeException e) {
      connection.rollback();
      randomPause();
    }
  }

  private static int account(int worker) {
    return ThreadLocalRandom.current().nextInt(ACCOUNTS / WRITER_THREADS) * WRITER_THREADS + worker;
  }

  private static void set(Connection connection, String setting) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("set " + setting);
    }
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(url, user, "");
  }

  /**
   * Retries until it has written an entry, and waits between entering the gated call and writing.
   */
  private void sleep() {
    while (true) {
      try {
        enter();
        System.out.println("entered");
        return;
      } catch (SQLException | RuntimeException e) {
        if (asleep) {
          System.out.println("refused: " + e);
          return;
        }
        randomPause();
      }
    }
  }

  /** Gated. Writes an entry when the signals table requests it. */
  void enter() throws SQLException {
    long epoch = Leadership.requireLeader(ELECTION);
    asleep = true;
    System.out.println("inside under " + epoch);
    try (Connection connection = connect()) {
      while (!isCalled(connection)) {
        randomPause();
      }
      try (PreparedStatement insert =
          connection.prepareStatement("insert into entries (writer, epoch) values (?, ?)")) {
        insert.setString(1, name);
        insert.setLong(2, epoch);
        insert.executeUpdate();
      }
    }
  }

  private static boolean isCalled(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select called from signals")) {
      return rows.next() && rows.getBoolean(1);
    }
  }

  /** Gated. */
  void transfer(Connection connection, int from, int to) throws SQLException {
    long epoch = Leadership.requireLeader(ELECTION);
    // A fence handles a transaction that begins with a write differently from one that begins with
    // a read.
    boolean beginsByWrite = ThreadLocalRandom.current().nextBoolean();
    if (beginsByWrite) {
      note(connection, from, to, epoch);
    }
    move(connection, from, -1);
    move(connection, to, 1);
    if (!beginsByWrite) {
      note(connection, from, to, epoch);
    }
    randomPause();
    connection.commit();
  }

  private static void move(Connection connection, int account, int amount) throws SQLException {
    long balance = balance(connection, account);
    randomPause();
    try (PreparedStatement update =
        connection.prepareStatement("update accounts set balance = ? where id = ?")) {
      update.setLong(1, balance + amount);
      update.setInt(2, account);
      update.executeUpdate();
    }
  }

  private static long balance(Connection connection, int account) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("select balance from accounts where id = ?")) {
      select.setInt(1, account);
      try (ResultSet rows = select.executeQuery()) {
        rows.next();
        return rows.getLong(1);
      }
    }
  }

  private void note(Connection connection, int from, int to, long epoch) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "insert into transfers (source, target, writer, epoch) values (?, ?, ?, ?)")) {
      insert.setInt(1, from);
      insert.setInt(2, to);
      insert.setString(3, name);
      insert.setLong(4, epoch);
      insert.executeUpdate();
    }
  }

  /** Pauses like a service that computes or waits between statements. */
  private static void randomPause() {
    int millis = ThreadLocalRandom.current().nextInt(MAX_PAUSE_MILLIS);
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1 + millis));
  }
}
