package com.acme.ledger;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/** Stores transfers in a Postgres table, which it creates if missing. */
final class PostgresTransferStore implements TransferStore {
  private static final int CONNECTIONS = 4;
  private static final String CREATE =
      """
      create table if not exists transfers (
        seq bigint generated always as identity primary key,
        id text not null,
        source text not null,
        target text not null,
        amount bigint not null,
        writer text not null,
        at timestamptz not null)
      """;
  private static final String INSERT =
      "insert into transfers (id, source, target, amount, writer, at) values (?, ?, ?, ?, ?, ?)";
  private static final String SELECT =
      "select id, source, target, amount, writer, at from transfers"
          + " order by seq offset ? limit ?";

  private final HikariDataSource pool;

  PostgresTransferStore(String url, String user, String password) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("ledger");
    config.setJdbcUrl(url);
    config.setUsername(user);
    config.setPassword(password);
    config.setMaximumPoolSize(CONNECTIONS);
    this.pool = new HikariDataSource(config);
    try (Connection connection = pool.getConnection()) {
      create(connection);
    } catch (SQLException e) {
      pool.close();
      throw new StoreException("can't create the table transfers", e);
    }
  }

  private static void create(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      // Without the lock, two instances that start together could conflict in the catalogue.
      statement.execute("select pg_advisory_xact_lock(hashtext('transfers'))");
      statement.execute(CREATE);
      connection.commit();
    } finally {
      connection.setAutoCommit(true);
    }
  }

  @Override
  public void append(Transfer transfer) {
    try (Connection connection = pool.getConnection();
        PreparedStatement insert = connection.prepareStatement(INSERT)) {
      insert.setString(1, transfer.id());
      insert.setString(2, transfer.from());
      insert.setString(3, transfer.to());
      insert.setLong(4, transfer.amount());
      insert.setString(5, transfer.writer());
      insert.setObject(6, transfer.at().atOffset(ZoneOffset.UTC));
      insert.executeUpdate();
    } catch (SQLException e) {
      throw new StoreException("can't insert the transfer", e);
    }
  }

  @Override
  public List<Transfer> after(long skipped, int limit) {
    try (Connection connection = pool.getConnection();
        PreparedStatement select = connection.prepareStatement(SELECT)) {
      select.setLong(1, skipped);
      select.setInt(2, limit);
      try (ResultSet rows = select.executeQuery()) {
        List<Transfer> transfers = new ArrayList<>();
        while (rows.next()) {
          transfers.add(transfer(rows));
        }
        return transfers;
      }
    } catch (SQLException e) {
      throw new StoreException("can't read the transfers", e);
    }
  }

  private static Transfer transfer(ResultSet row) throws SQLException {
    return new Transfer(
        row.getString(1),
        row.getString(2),
        row.getString(3),
        row.getLong(4),
        row.getString(5),
        row.getObject(6, OffsetDateTime.class).toInstant());
  }

  @Override
  public long count() {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select count(*) from transfers")) {
      rows.next();
      return rows.getLong(1);
    } catch (SQLException e) {
      throw new StoreException("can't count the transfers", e);
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}
