package io.portcullis.benchmarks.fencing;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A minimal service that only accesses its database: it accepts and shows transfers, using a pool,
 * like the demo service. On a command from standard input it writes or reads for a given time and
 * prints the number of operations.
 */
public final class TransferService {
  static final int ACCOUNTS = 1000;

  private static final int CLERKS = 2;
  private static final String INSERT =
      "insert into bookings (source, target, amount, writer) values (?, ?, ?, ?)";
  private static final String UPDATE = "update accounts set balance = balance + ? where id = ?";
  private static final String SELECT =
      "select id, balance from accounts where id between ? and ? order by id";

  private final HikariDataSource pool;

  private TransferService(HikariDataSource pool) {
    this.pool = pool;
  }

  /** Arguments: url and user. */
  public static void main(String[] args) throws Exception {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(args[0]);
    config.setUsername(args[1]);
    config.setMaximumPoolSize(CLERKS);
    try (HikariDataSource pool = new HikariDataSource(config)) {
      new TransferService(pool).serve();
    }
  }

  private void serve() throws IOException {
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String order = orders.readLine(); order != null; order = orders.readLine()) {
      String[] words = order.split(" ", 2);
      WorkerPool.Task task = words[0].equals("write") ? this::write : this::read;
      Duration length = Duration.ofMillis(Long.parseLong(words[1]));
      System.out.println("done " + WorkerPool.work(CLERKS, task, length));
    }
  }

  private void write() throws SQLException {
    int from = ThreadLocalRandom.current().nextInt(ACCOUNTS);
    int to = ThreadLocalRandom.current().nextInt(ACCOUNTS);
    transfer(from, to, 1);
  }

  /** Gated: a transaction of two statements. */
  void transfer(int from, int to, long amount) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      try (PreparedStatement insert = connection.prepareStatement(INSERT);
          PreparedStatement update = connection.prepareStatement(UPDATE)) {
        insert.setInt(1, from);
        insert.setInt(2, to);
        insert.setLong(3, amount);
        insert.setString(4, "counter");
        insert.executeUpdate();
        update.setLong(1, amount);
        update.setInt(2, to);
        update.executeUpdate();
        connection.commit();
      }
    }
  }

  private void read() throws SQLException {
    int first = ThreadLocalRandom.current().nextInt(ACCOUNTS - 10);
    try (Connection connection = pool.getConnection();
        PreparedStatement select = connection.prepareStatement(SELECT)) {
      select.setInt(1, first);
      select.setInt(2, first + 9);
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          rows.getLong(2);
        }
      }
    }
  }
}
