package com.acme.drivers;

import io.r2dbc.postgresql.PostgresqlConnectionConfiguration;
import io.r2dbc.postgresql.PostgresqlConnectionFactory;
import io.r2dbc.postgresql.api.PostgresqlConnection;
import io.r2dbc.postgresql.api.PostgresqlResult;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Writes one row with the driver named by its first argument, and keeps running. */
public final class OtherDriverWriter {
  private static final String INSERT = "INSERT INTO payments (amount) VALUES (1)";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final String host;
  private final int port;
  private final String database;
  private final String user;

  private OtherDriverWriter(String host, int port, String database, String user) {
    this.host = host;
    this.port = port;
    this.database = database;
    this.user = user;
  }

  /** Arguments: driver, host, port, database, user. */
  public static void main(String[] args) throws Exception {
    OtherDriverWriter writer =
        new OtherDriverWriter(args[1], Integer.parseInt(args[2]), args[3], args[4]);
    switch (args[0]) {
      case "r2dbc-postgresql" -> writer.insertByR2dbc();
      case "pgjdbc-ng" -> writer.insertByPgjdbcNg();
      case "vertx-pg-client" -> writer.insertByVertx();
      default -> throw new IllegalArgumentException(args[0]);
    }
    System.out.println("written by " + args[0]);
    new CountDownLatch(1).await();
  }

  private void insertByR2dbc() {
    PostgresqlConnectionFactory factory =
        new PostgresqlConnectionFactory(
            PostgresqlConnectionConfiguration.builder()
                .host(host)
                .port(port)
                .database(database)
                .username(user)
                .password("")
                .build());
    PostgresqlConnection connection = factory.create().block(PATIENCE);
    connection
        .createStatement(INSERT)
        .execute()
        .flatMap(PostgresqlResult::getRowsUpdated)
        .blockLast(PATIENCE);
  }

  private void insertByPgjdbcNg() throws SQLException {
    String url = "jdbc:pgsql://" + host + ":" + port + "/" + database;
    Connection connection = DriverManager.getConnection(url, user, "");
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(INSERT);
    }
  }

  private void insertByVertx() throws Exception {
    PgConnectOptions options =
        new PgConnectOptions()
            .setHost(host)
            .setPort(port)
            .setDatabase(database)
            .setUser(user)
            .setPassword("");
    PgConnection.connect(Vertx.vertx(), options)
        .compose(connection -> connection.query(INSERT).execute())
        .toCompletionStage()
        .toCompletableFuture()
        .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }
}
